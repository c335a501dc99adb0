import { expect, it } from 'vitest';
import { styleFor, useColor, useUnicode } from '../../src/report/style.ts';

it.each([
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, true, false],
  [{ NO_COLOR: '' }, undefined, true, true],
  [{ FORCE_COLOR: '1' }, false, true, false],
  [{}, true, false, true],
  [{ FORCE_COLOR: '1' }, undefined, false, true],
  [{ FORCE_COLOR: '0' }, undefined, true, false],
  [{}, undefined, true, true],
  [{}, undefined, false, false],
  [{ TERM: 'dumb' }, undefined, true, false],
])('useColor(%o, flag %s, terminal %s) is %s', (env, flag, isTTY, expected) => {
  expect(useColor({ env, flag, isTTY })).toBe(expected);
});

it('a style without colour changes no text', () => {
  const { width, prose, unicode, ...paints } = styleFor({ color: false, width: 100 });
  expect([width, prose, unicode]).toEqual([100, 100, true]);
  for (const paint of Object.values(paints)) expect(paint('x')).toBe('x');
});

it.each([
  [{}, undefined, true],
  [{}, false, false],
  [{ TRUEUP_NO_UNICODE: '1' }, undefined, false],
  [{ TRUEUP_NO_UNICODE: '' }, undefined, true],
  [{ TERM: 'linux' }, undefined, false],
  [{ TERM: 'linux' }, true, true],
])('useUnicode(%o, flag %s) is %s', (env, flag, expected) => {
  expect(useUnicode({ env, flag })).toBe(expected);
});
