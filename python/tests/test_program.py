"""The command that is installed with the package."""

import subprocess
import sys


def test_the_command_of_the_package_is_the_program(program, tmp_path):
    (tmp_path / "edges.csv").write_text(
        "source,target,weight\n" + "".join(f"{i},{(i * 7 + 1) % 30},{i % 5 + 1}\n" for i in range(60))
    )
    ours = [sys.executable, "-m", "dosnes"]
    for name, command in (("ours", ours), ("theirs", [program])):
        subprocess.run([*command, "embed", tmp_path / "edges.csv", "-q", "-o", tmp_path / f"{name}.csv"], check=True)
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()


def test_exit_codes_and_help_are_those_of_the_program(tmp_path):
    run = lambda *arguments: subprocess.run(
        [sys.executable, "-m", "dosnes", *arguments], capture_output=True, text=True
    )
    assert run("--version").stdout.startswith("dosnes ")
    missing = run("embed", str(tmp_path / "nothing.csv"))
    assert missing.returncode != 0 and "nothing.csv" in missing.stderr
    assert run("embed", "--perplexitty").returncode == 2
