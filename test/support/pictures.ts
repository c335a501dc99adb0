import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p9NE1wAAAABJRU5ErkJggg==',
  'base64',
);

/** Pictures that configurations of tests name. */
export const pictures = {
  'one.png': pixel,
  'other.png': Buffer.concat([pixel, Buffer.from('of another camera')]),
  'logo.png': pixel,
  'logo.svg': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg">\n  <script>alert(1)</script>\n  <path d="M0 0h9v9z"/>\n</svg>\n',
  ),
};

/** Puts those that a text names into a folder. */
export async function putPictures(folder: string, text: string): Promise<void> {
  for (const [name, bytes] of Object.entries(pictures))
    if (text.includes(name)) await writeFile(join(folder, name), bytes);
}
