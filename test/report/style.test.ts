import { expect, it } from 'vitest';
import { styleFor, useColor } from '../../src/report/style.ts';

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
  const { width, ...paints } = styleFor({ color: false, width: 100 });
  expect(width).toBe(100);
  for (const paint of Object.values(paints)) expect(paint('x')).toBe('x');
});
