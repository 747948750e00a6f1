/** Reads the inert data blocks of the page: base64, zlib, byte planes. The counterpart of `blocks.rs` in the Rust crate. */

export interface Block {
  id: number;
  length: number;
  bytes: number;
  kind: "u" | "i" | "f";
  packed: boolean;
}

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export function readHeader<T>(): T {
  const element = document.getElementById("header");
  if (!element?.textContent) throw new Error("This page contains no data.");
  return JSON.parse(element.textContent) as T;
}

export async function readBytes(block: Block): Promise<Uint8Array<ArrayBuffer>> {
  const element = document.getElementById(`block-${block.id}`);
  if (!element) throw new Error(`Block ${block.id} of this page is missing; the file seems to be truncated.`);
  const packed = fromBase64(element.textContent ?? "");
  // The text is not needed again; otherwise the text of a million points would stay in memory.
  element.textContent = "";
  return block.packed ? inflate(packed) : packed;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const modern = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (modern) return modern.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function readNumbers(block: Block): Promise<NumberArray> {
  return fromPlanes(await readBytes(block), block);
}

/** Entries from byte planes, the lowest byte first. */
export function fromPlanes(
  planes: Uint8Array,
  { length, bytes, kind }: Pick<Block, "length" | "bytes" | "kind">,
): NumberArray {
  if (bytes === 1) return planes;
  if (kind === "u" && bytes === 2) {
    const out = new Uint16Array(length);
    for (let i = 0; i < length; i++) out[i] = planes[i]! | (planes[length + i]! << 8);
    return out;
  }
  if (kind === "u") {
    const out = new Uint32Array(length);
    for (let plane = 0; plane < bytes; plane++)
      for (let i = 0; i < length; i++) out[i]! |= planes[plane * length + i]! << (8 * plane);
    return out;
  }
  const interleaved = new Uint8Array(length * bytes);
  for (let plane = 0; plane < bytes; plane++)
    for (let i = 0; i < length; i++) interleaved[i * bytes + plane] = planes[plane * length + i]!;
  return bytes === 4 ? new Float32Array(interleaved.buffer) : new Float64Array(interleaved.buffer);
}
