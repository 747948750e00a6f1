"""A real Chromium for tests, and pictures of a page that has come to rest."""

import os
import shutil
from contextlib import contextmanager

import pytest


@contextmanager
def open_browser():
    """A browser that draws without a graphics card. The test is skipped where there is none."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium: install one (Debian: apt-get install chromium), or say where it is by CHROMIUM=PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def at_rest(page, element):
    """A picture of an element that no longer changes."""
    still = element.screenshot()
    for _ in range(100):
        page.wait_for_timeout(100)
        again = element.screenshot()
        if again == still:
            return still
        still = again
    pytest.fail("the globe moves by itself")


def turn(page, element):
    """Turns the globe of an element with the mouse."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y + 30, steps=8)
    page.mouse.up()


def lasso(page, element):
    """Draws a lasso around the middle of the globe of a frame, away from the tools."""
    element.scroll_into_view_if_needed()
    globe = element.content_frame.get_by_role("application").first
    globe.focus()
    page.keyboard.press("l")
    box = globe.bounding_box()
    x, y, side = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 0.3 * box["height"]
    page.mouse.move(x - side, y - side)
    page.mouse.down()
    for right, down in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        page.mouse.move(x + right * side, y + down * side, steps=4)
    page.mouse.up()
