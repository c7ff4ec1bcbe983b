// Draws media/icon.png: a page with an anchor, from distances to lines and arcs, so that it needs no drawing program.
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const SIZE = 128;
const SAMPLES = 4;

const clamp = (value) => Math.min(1, Math.max(0, value));
const segment = (x, y, [x1, y1, x2, y2]) => {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = clamp(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
};
const box = (x, y, left, top, right, bottom, radius) => {
  const dx = Math.max(left + radius - x, x - right + radius, 0);
  const dy = Math.max(top + radius - y, y - bottom + radius, 0);
  return Math.hypot(dx, dy) - radius;
};
const arc = (x, y, cx, cy, radius) =>
  y >= cy ? Math.abs(Math.hypot(x - cx, y - cy) - radius) : Number.POSITIVE_INFINITY;

const INK = [31, 42, 51];
const PAGE = [244, 241, 232];
const MARK = [46, 134, 140];

function color(x, y) {
  if (box(x, y, 0, 0, 128, 128, 26) > 0) return [0, 0, 0, 0];
  if (box(x, y, 28, 18, 100, 110, 8) > 0 || x - y > 62) return [...INK, 255];
  const anchor = Math.min(
    Math.abs(Math.hypot(x - 64, y - 46) - 7),
    segment(x, y, [64, 53, 64, 94]),
    segment(x, y, [52, 62, 76, 62]),
    arc(x, y, 64, 70, 24),
  );
  if (anchor <= 3.6) return [...MARK, 255];
  const line = segment(x, y, [40, 31, 66, 31]);
  return line <= 2.5 ? [...INK, 255] : [...PAGE, 255];
}

const rows = [];
for (let y = 0; y < SIZE; y += 1) {
  rows.push(0);
  for (let x = 0; x < SIZE; x += 1) {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < SAMPLES * SAMPLES; i += 1) {
      const at = color(x + ((i % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES);
      for (const part of [0, 1, 2]) sum[part] += at[part] * at[3];
      sum[3] += at[3];
    }
    const alpha = sum[3] / (SAMPLES * SAMPLES);
    for (const part of [0, 1, 2]) rows.push(sum[3] === 0 ? 0 : Math.round(sum[part] / sum[3]));
    rows.push(Math.round(alpha));
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crcOf(body), body.length + 4);
  return framed;
}

function crcOf(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const head = Buffer.alloc(13);
head.writeUInt32BE(SIZE, 0);
head.writeUInt32BE(SIZE, 4);
head.set([8, 6, 0, 0, 0], 8);
writeFileSync(
  new URL('../media/icon.png', import.meta.url),
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]),
);
