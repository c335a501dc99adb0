import { describe, expect, it } from 'vitest';
import { problem, warning } from '../../src/model/diagnostic.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { at, plainStyle } from './builders.ts';

const text = (...diagnostics: Parameters<typeof diagnosticsText>[0]) =>
  diagnosticsText(diagnostics, { style: plainStyle });

describe('diagnosticsText', () => {
  it('shows the first of many places, and counts the others', () => {
    const places = (n: number) =>
      text(
        problem('many', 'many', {
          at: at(1, 1),
          related: Array.from({ length: n }, (_, i) => ({ message: `also ${i}`, at: at(i + 2, 1) })),
        }),
      ).match(/also \d+|and .*places?/g);
    expect(places(6)).toEqual(['also 0', 'also 1', 'also 2', 'also 3', 'also 4', 'also 5']);
    expect(places(40)).toEqual(['also 0', 'also 1', 'also 2', 'also 3', 'also 4', 'and 35 more places']);
  });

  it('keeps each line of a hint that is to be pasted on a line of its own', () => {
    const entry = `  - { at: projects/${'a'.repeat(40)}, delete: true, objects: 15 } # 14 projectEnvVars, 1 project`;
    const lines = diagnosticsText([warning('x', 'x', { hint: `add this\n${entry}` })], {
      style: { ...plainStyle, prose: 60 },
    }).split('\n');
    expect(lines).toContain(`  | ${entry}`);
  });

  it('shows errors first, by place, with the line, related places and the hint', () => {
    expect(
      text(
        warning('enum', 'framework "nextjs2" is not known here', { at: at(2, 16, '    framework: nextjs2') }),
        problem('no-token', 'no token', { hint: 'set TRUEUP_TOKEN' }),
        problem('frozen', 'records could not be listed', { address: 'domains/example.com' }),
        problem('twice', 'projects/web is declared twice', {
          at: at(14, 3, '  web:'),
          related: [{ message: 'first here', at: at(4, 3, '  web:') }],
        }),
        problem('unknown-key', 'unknown key "framwork"', {
          at: at(5, 5, '    framwork: nextjs'),
          hint: 'did you mean "framework"?',
        }),
      ),
    ).toMatchInlineSnapshot(`
      "Error: unknown key "framwork" [unknown-key]
        at trueup.yaml:5:5
          5 |     framwork: nextjs
            |     ^
        -> did you mean "framework"?

      Error: projects/web is declared twice [twice]
        at trueup.yaml:14:3
         14 |   web:
            |   ^
        first here: trueup.yaml:4:3
          4 |   web:
            |   ^

      Error: no token [no-token]
        -> set TRUEUP_TOKEN

      Error: records could not be listed [frozen]
        at domains/example.com

      Warning: framework "nextjs2" is not known here [enum]
        at trueup.yaml:2:16
          2 |     framework: nextjs2
            |                ^

      4 errors, 1 warning"
    `);
  });

  it('puts the caret under the column, whatever stands before it', () => {
    expect(text(problem('x', 'tabs', { at: at(1, 3, '\t\tkey: 1') }))).toContain(
      '|     key: 1\n      |     ^',
    );
    expect(text(problem('x', 'wide', { at: at(1, 5, '日本: x') }))).toContain('| 日本: x\n      |       ^');
    expect(text(problem('x', 'escape', { at: at(1, 10, '\u001b[31mkey: 1') }))).toContain(
      '| \\u001b[31mkey: 1\n      |               ^',
    );
  });

  it('cuts a long line around the column', () => {
    const line = `    value: ${'a'.repeat(300)}HERE${'b'.repeat(300)}`;
    const shown = text(problem('x', 'long', { at: at(7, line.indexOf('HERE') + 1, line) }))
      .split('\n')
      .slice(2, 4);
    expect(shown[0]!.indexOf('HERE')).toBe(shown[1]!.indexOf('^'));
    expect(Math.max(...shown.map((part) => part.length))).toBeLessThanOrEqual(80);
  });

  it('lets no text from outside begin a line', () => {
    expect(
      text(problem('x', 'server said:\n::add-mask::x\r\n\u001b]0;title\u0007bye', { hint: 'a\n::error::b' })),
    ).toMatchInlineSnapshot(`
      "Error: server said: [x]
        | ::add-mask::x
        | \\u001b]0;title\\u0007bye
        -> a
        | ::error::b

      1 error"
    `);
  });

  it('says nothing about nothing', () => {
    expect(text()).toBe('');
  });
});
