import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAnnotations, masks, pullRequestOf } from '../../src/github/actions.ts';
import { asNote, type Diagnostic, problem, warning } from '../../src/model/diagnostic.ts';
import { foldDiagnostics } from '../../src/model/fold-diagnostics.ts';
import { codePoint } from '../support/characters.ts';

const same = (file: string) => file;
const at = { file: 'a.yaml', line: 3, column: 7 };

describe('annotations', () => {
  it('mark the line, with what to do about it', () => {
    expect(formatAnnotations([problem('config/x', 'it is wrong', { at, hint: 'mend it' })], same)).toEqual([
      '::error file=a.yaml,line=3,col=7,title=config/x::it is wrong%0Amend it',
    ]);
  });

  it('errors come first; what is beyond ten of a kind is counted', () => {
    const many = (make: typeof problem, n: number) => Array.from({ length: n }, (_, i) => make('x', `${i}`));
    const lines = formatAnnotations([...many(warning, 11), ...many(problem, 13)], same);
    const kinds = lines.map((line) => /^::(\w+)/.exec(line)?.[1] ?? line);
    expect(kinds).toEqual([
      ...Array(10).fill('error'),
      '3 more errors without an annotation: see above.',
      ...Array(10).fill('warning'),
      '1 more warning without an annotation: see above.',
    ]);
  });

  it('text is text: one line, one command, and its properties are what they are', () => {
    const nasty = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 20 }),
      fc.constantFrom('\n::add-mask::x', '\r\n::error::', ',line=9', '::', '%0A', ':,%\n'),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, (message, file, address) => {
        const given = problem('c', message, { at: { ...at, file }, address, hint: message });
        const lines = formatAnnotations([given], same).join('\n').split('\n');
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^::error file=[^:,]*,line=3,col=7,title=[^:,]*::/);
        expect(lines[0]).not.toMatch(/[^\P{Cc}\t]/u);
      }),
    );
  });
});

describe('the pull request of an event', () => {
  const pull = (head: unknown) => ({
    pull_request: { number: 7, head: { repo: head }, base: { repo: { full_name: 'acme/site' } } },
  });

  it('knows a fork', () => {
    expect(pullRequestOf(pull({ full_name: 'acme/site' }))).toEqual({ number: 7 });
    expect(pullRequestOf(pull({ full_name: 'eve/site' }))).toEqual({ number: 7, withoutSecrets: 'fork' });
    expect(pullRequestOf(pull(null))).toEqual({ number: 7, withoutSecrets: 'fork' });
  });

  it('knows a push of Dependabot, which gets no secrets either', () => {
    const own = pull({ full_name: 'acme/site' });
    const by = (login: string) => pullRequestOf({ ...own, sender: { login } });
    expect(by('dependabot[bot]')).toEqual({ number: 7, withoutSecrets: 'dependabot' });
    expect(by('ada')).toEqual({ number: 7 });
  });

  it('is none for other events', () => {
    expect(pullRequestOf({ ref: 'refs/heads/main' })).toBeUndefined();
    expect(pullRequestOf({ pull_request: { number: '7' } })).toBeUndefined();
    expect(pullRequestOf(null)).toBeUndefined();
  });
});

describe('masks', () => {
  it('hide each line of a secret, as the runner reads them', () => {
    const key = '-----BEGIN KEY-----\r\n  50%0A of it ##[x]\n}\n\n-----END KEY-----\n';
    expect(masks([key, 'one', 'four', 'four'])).toEqual([
      '::add-mask::-----BEGIN KEY-----',
      '::add-mask::50%250A of it ##[x]',
      '::add-mask::-----END KEY-----',
      '::add-mask::four',
    ]);
  });

  it('are one command each, whatever the secret holds, and the runner gets back what it is', () => {
    const nasty = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom('a\n::stop-commands::x', '%25%0Dabc', '\ryyyy'),
    );
    fc.assert(
      fc.property(nasty, (text) => {
        for (const line of masks([text])) {
          const [, value = ''] = /^::add-mask::([^\r\n]*)$/.exec(line) ?? [];
          const read = value.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
          expect(read.length).toBeGreaterThanOrEqual(4);
          expect(text).toContain(read);
        }
      }),
    );
  });
});

describe('of many annotations', () => {
  it('equal ones come once', () => {
    const one = () => problem('config/x', 'it is wrong', { at });
    expect(formatAnnotations([one(), one(), one()], same)).toHaveLength(1);
    const targets = ['production', 'preview'].map((target) =>
      problem('apply/failed', 'no', { at, address: `projects/web/env/A@${target}` }),
    );
    expect(formatAnnotations(targets, same)).toEqual([
      '::error file=a.yaml,line=3,col=7,title=apply/failed projects/web/env/A::no',
    ]);
    const ofTwoObjects = ['x', 'y'].map((address) => problem('a/b', 'no', { address }));
    expect(formatAnnotations(ofTwoObjects, same)).toHaveLength(1);
  });

  it('notes about secrets that the job lacks are none, alone or folded', () => {
    const missing = (name: string, line: number) =>
      asNote(problem('source/env', `${name} may not be read`, { at: { ...at, line }, secret: { name } }));
    const notes = [missing('a', 1), missing('b', 2)];
    expect(formatAnnotations(notes, same)).toEqual([]);
    expect(formatAnnotations(foldDiagnostics(notes), same)).toEqual([]);
    const other = asNote(problem('source/env', 'the variable `c` may not be read', { at }));
    expect(formatAnnotations([...notes, other], same)).toHaveLength(1);
  });

  it('of a folded problem each place is marked, the first of each problem before the others', () => {
    const one = (code: string, line: number) =>
      problem(code, `projects/p${line} is wrong`, { at: { ...at, line }, address: `projects/p${line}` });
    const lines = (diagnostics: Diagnostic[]) =>
      formatAnnotations(diagnostics, same).map(
        (line) => /line=(\d+).*title=(\S+)/.exec(line)?.slice(1, 3).join(' ') ?? line,
      );
    expect(lines([one('a/b', 1), one('a/b', 2), one('c/d', 3), one('a/b', 4)])).toEqual([
      '1 a/b',
      '3 c/d',
      '2 a/b',
      '4 a/b',
    ]);
    const many = Array.from({ length: 12 }, (_, i) => one('a/b', i + 1));
    expect(lines(many).slice(9)).toEqual([
      '10 a/b',
      '2 more places of errors without an annotation: see above.',
    ]);
    expect(formatAnnotations(many, same)[1]).toBe(
      '::error file=a.yaml,line=2,col=7,title=a/b projects/p2::projects/p2 is wrong',
    );
    const atOneLine = ['x', 'y'].map((address) => problem('a/b', 'no', { at, address }));
    expect(formatAnnotations([...atOneLine, one('a/b', 9)], same)).toHaveLength(2);
  });

  it('what may lose something comes first, then what has a line, and of each code one before a second', () => {
    const told = formatAnnotations(
      [
        ...Array.from({ length: 12 }, (_, i) => warning('a/many', `${i}`, { at: { ...at, line: i + 1 } })),
        warning('b/placeless', 'no place'),
        warning('c/other', 'other', { at }),
        warning('guard/conflict', 'changed here and in the account', { at }),
      ],
      same,
    );
    expect(told.slice(0, 3)).toEqual([
      expect.stringContaining('changed here and in the account'),
      expect.stringContaining('title=a/many::0'),
      expect.stringContaining('title=c/other'),
    ]);
    expect(told.at(-1)).toBe('5 more warnings without an annotation: see above.');
    expect(told.join('\n')).not.toContain('no place');
  });

  it('end where the key or the value ends, as far as the line tells', () => {
    const endOf = (text: string, column: number) => {
      const place = { ...at, column, text, caret: column - 1 };
      return /endColumn=(\d+)/.exec(formatAnnotations([problem('x', 'y', { at: place })], same)[0]!)?.[1];
    };
    expect(endOf('  framewrok: nextjs', 3)).toBe('12');
    expect(endOf('  a: "it is, so"', 6)).toBe('17');
    expect(endOf('  a: [one, two]', 7)).toBe('10');
    expect(endOf('  a: (secret)', 6)).toBeUndefined();
    expect(endOf('  a: lon…', 6)).toBeUndefined();
  });
});
