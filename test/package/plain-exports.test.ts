import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: the scripts of build have no types.
import { bundle } from '../../build/bundle.mjs';
// @ts-expect-error: the scripts of build have no types.
import { withPlainExports } from '../../build/plain-exports.mjs';
import { temporary } from './packed.ts';

const require = createRequire(import.meta.url);

/** A module that both entries use, so that it becomes a part of its own. Each variable gets another value in another way. */
const shared = `
export let counted = 0;
export let added = 1;
export let late: number;
export let unset: number | undefined;
export let [first, second] = [1, 2];
export let looped = 0;
export let member = 0;
export let nested = 0;
export let kept = 0;
export const $fixed$ = 'export{a};import("./a.cjs")';
export function replaced() { return 1; }
export class Box { size = 1 }
export default (text: string) => text + $fixed$.length;
export async function change() {
  ++counted;
  added += 1;
  late = 5;
  unset ??= 6;
  [second, first] = [first, second];
  for (looped of [7, 8]);
  ({ member, inner: { nested } } = await Promise.resolve({ member: 9, inner: { nested: 10 } }));
  kept &&= 1;
  // @ts-expect-error: it is possible in JavaScript.
  replaced = () => 2;
}
`;
const users = `
import addLength, * as shared from './shared.ts';
export const read = () => {
  const { counted, added, late, unset, first, second, looped, member, nested, kept, $fixed$ } = shared;
  return { counted, added, late, unset, first, second, looped, member, nested, kept, $fixed$, replaced: shared.replaced(), box: new shared.Box().size, text: addLength('a') };
};
export const { change } = shared;
`;

it.each([
  { isReadable: false },
  { isReadable: true },
  { joined: { first: ['src/lazy.cjs'], second: ['src/users.ts'] } },
])('the parts of a bundle see the values of each other: %o', async (form) => {
  const root = temporary();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/shared.ts'), shared);
  writeFileSync(join(root, 'src/lazy.cjs'), 'exports.lazy = 11;');
  writeFileSync(join(root, 'src/users.ts'), users);
  writeFileSync(join(root, 'src/main.ts'), `export const load = () => import('./users.ts');`);
  writeFileSync(
    join(root, 'src/library.ts'),
    `${users}\nexport const loadLazy = async () => [(await import('./users.ts')).read(), (await import('./lazy.cjs')).default.lazy];`,
  );
  const { files } = await bundle(root, { version: '1', peerDependencies: {} }, form);
  for (const { name, text } of files) writeFileSync(join(root, name), text);
  const { read, change, loadLazy } = require(join(root, 'library.cjs'));
  const before = {
    counted: 0,
    added: 1,
    first: 1,
    second: 2,
    looped: 0,
    member: 0,
    nested: 0,
    replaced: 1,
  };
  const same = { kept: 0, $fixed$: 'export{a};import("./a.cjs")', box: 1, text: 'a27' };
  expect(read()).toEqual({ ...before, ...same });
  await change();
  const after = {
    counted: 1,
    added: 2,
    first: 2,
    second: 1,
    looped: 8,
    member: 9,
    nested: 10,
    replaced: 2,
  };
  expect(read()).toEqual({ ...after, late: 5, unset: 6, ...same });
  expect(await loadLazy()).toEqual([read(), 11]);
});

it('fails if the exports of a part are not where they were', () => {
  expect(withPlainExports('var a=1;export{a as b};', ['b'])).toBe('var a=1;module.exports={b:a};');
  expect(() => withPlainExports('var a=1;export {a as b};', ['b'])).toThrow('exports b');
  expect(() => withPlainExports('export{a};var a=1;', ['a'])).toThrow('exports a');
  expect(() => withPlainExports('var a="export{b}"', ['a'])).toThrow('exports a');
});
