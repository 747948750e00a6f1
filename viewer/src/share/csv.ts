/** The selected items as CSV: ids, all columns, positions. */
import { type Column, type Model, type NumberColumn, textOf } from "../data/model.ts";

/** Quotes a cell if needed. A text that a spreadsheet would treat as a formula gets a leading apostrophe. */
export function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(model: Model, mask: Uint8Array | null): string {
  const names =
    model.views.length > 1 ? (name: string, axis: string) => `${name} ${axis}` : (_: string, axis: string) => axis;
  const columns = allColumns(model);
  const head = ["id", ...columns.map((c) => c.name)];
  for (const view of model.views)
    for (const axis of view.space === "plane" ? ["x", "y"] : ["x", "y", "z"]) head.push(names(view.name, axis));
  const lines = [head.map(cell).join(",")];
  for (let i = 0; i < model.count; i++) {
    if (mask && mask[i] !== 1) continue;
    const row = [cell(model.ids.at(i))];
    for (const column of columns) {
      const value = column.type === "number" ? column.values[i]! : NaN;
      row.push(
        column.type === "number"
          ? Number.isNaN(value)
            ? ""
            : column.values instanceof Float32Array
              ? digits(value)
              : String(value)
          : cell(textOf(column, i)),
      );
    }
    for (const view of model.views) {
      const p = view.positions;
      // Back from the axes of the page to the axes of the data.
      if (view.space === "sphere") row.push(...[p[3 * i + 2]!, p[3 * i]!, p[3 * i + 1]!].map(digits));
      else if (view.space === "plane") row.push(...[p[3 * i]!, p[3 * i + 1]!].map(digits));
      else row.push(...[p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!].map(digits));
    }
    lines.push(row.join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** The columns of the data, and those that were computed: degree, and trust on each map. */
function allColumns(model: Model): Column[] {
  const columns = [...model.columns];
  const add = (column: NumberColumn | null, name: string) => {
    if (column && !columns.some((c) => c.name === name)) columns.push({ ...column, name });
  };
  add(model.degree, "degree");
  for (const view of model.views) add(view.trust, model.views.length > 1 ? `${view.name} trust` : "trust");
  return columns;
}

const digits = (x: number) => String(Number(x.toPrecision(7)));
