/**
 * Orthogonal Procrustes: rotates one embedding onto another. The orthogonal map (a rotation, or a rotation after a reflection;
 * neither changes distances) minimises the sum of squared distances between the points of `b` and `a`.
 */

/** The map that minimises Σ |a_i − R b_i|², row by row. There are three coordinates for each point. */
export function procrustes(a: Float32Array, b: Float32Array): Float64Array {
  const h = new Float64Array(9);
  for (let i = 0; i < a.length; i += 3)
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) h[3 * r + c]! += a[i + r]! * b[i + c]!;
  const direct = hornRotation(h);
  const mirrored = hornRotation(h.map((value, k) => (k % 3 === 0 ? -value : value)));
  if (trace(mirrored, h, -1) <= trace(direct, h, 1)) return direct;
  // R M with M = diag(−1, 1, 1): the first column changes its sign.
  return mirrored.map((value, k) => (k % 3 === 0 ? -value : value));
}

/** tr(Rᵀ H), or of H with its first column negated. */
function trace(r: Float64Array, h: Float64Array, sign: number): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += r[k]! * h[k]! * (k % 3 === 0 ? sign : 1);
  return sum;
}

/** The rotation R that maximises Σ R_rc H_rc: the leading eigenvector of Horn's 4 × 4 matrix, as a quaternion. */
function hornRotation(h: Float64Array): Float64Array {
  // S = Hᵀ in the notation of Horn, where the second set is rotated onto the first.
  const s = (r: number, c: number) => h[3 * c + r]!;
  const n = [
    [s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)],
    [s(1, 2) - s(2, 1), s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2)],
    [s(2, 0) - s(0, 2), s(0, 1) + s(1, 0), -s(0, 0) + s(1, 1) - s(2, 2), s(1, 2) + s(2, 1)],
    [s(0, 1) - s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1), -s(0, 0) - s(1, 1) + s(2, 2)],
  ];
  const [w, x, y, z] = leadingEigenvector(n) as [number, number, number, number];
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}

/** The leading eigenvector of a symmetric matrix, by Jacobi rotations. */
function leadingEigenvector(matrix: number[][]): number[] {
  const n = matrix.length;
  const a = matrix.map((row) => row.slice());
  const vectors: number[][] = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 50; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p]![q]! ** 2;
    if (off < 1e-28) break;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (a[p]![q] === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const [akp, akq] = [a[k]![p]!, a[k]![q]!];
          a[k]![p] = c * akp - s * akq;
          a[k]![q] = s * akp + c * akq;
        }
        for (let k = 0; k < n; k++) {
          const [apk, aqk] = [a[p]![k]!, a[q]![k]!];
          a[p]![k] = c * apk - s * aqk;
          a[q]![k] = s * apk + c * aqk;
          const [vp, vq] = [vectors[k]![p]!, vectors[k]![q]!];
          vectors[k]![p] = c * vp - s * vq;
          vectors[k]![q] = s * vp + c * vq;
        }
      }
  }
  let best = 0;
  for (let k = 1; k < n; k++) if (a[k]![k]! > a[best]![best]!) best = k;
  return vectors.map((row) => row[best]!);
}

/** Applies a 3 × 3 map to all points in place. */
export function transform(map: Float64Array, positions: Float32Array): void {
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i]!;
    const y = positions[i + 1]!;
    const z = positions[i + 2]!;
    for (let r = 0; r < 3; r++) positions[i + r] = map[3 * r]! * x + map[3 * r + 1]! * y + map[3 * r + 2]! * z;
  }
}
