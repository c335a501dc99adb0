import { expect, it } from 'vitest';
import { styleFor, useColor, useUnicode } from '../../src/report/style.ts';

it.each([
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, true, false],
  [{ NO_COLOR: '' }, false, true, true],
  [{ FORCE_COLOR: '1' }, true, true, false],
  [{}, true, true, false],
  [{ FORCE_COLOR: '1' }, false, false, true],
  [{ FORCE_COLOR: '0' }, false, true, false],
  [{}, false, true, true],
  [{}, false, false, false],
  [{ TERM: 'dumb' }, false, true, false],
])('useColor(%o, refused: %s, terminal: %s) is %s', (env, isRefused, isTTY, expected) => {
  expect(useColor({ env, isRefused, isTTY })).toBe(expected);
});

it('a style without colour changes no text', () => {
  const { width, prose, unicode, ...paints } = styleFor({ color: false, width: 100 });
  expect([width, prose, unicode]).toEqual([100, 100, true]);
  for (const paint of Object.values(paints)) expect(paint('x')).toBe('x');
});

it.each([
  [{}, true],
  [{ TRUEUP_NO_UNICODE: '1' }, false],
  [{ TRUEUP_NO_UNICODE: '' }, true],
  [{ TERM: 'linux' }, false],
])('useUnicode(%o) is %s', (env, expected) => {
  expect(useUnicode(env)).toBe(expected);
});
