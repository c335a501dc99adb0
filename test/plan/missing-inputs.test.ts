import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMissingInputs } from '../../src/plan/find-missing-inputs.ts';

const missing = (remembered: string[], inputs: string[], folders: string[] = []) =>
  findMissingInputs(remembered, { inputs, folders });

describe('files that a run is not read from', () => {
  it('from the top of a repository: each by its name, and not those of a folder that was read whole', () => {
    expect(missing(['/a.yaml', '/infra/b.yaml'], ['/a.yaml'])).toEqual(['/infra/b.yaml']);
    expect(missing(['/a.yaml', '/infra/b.yaml'], ['/a.yaml'], ['/infra'])).toEqual([]);
    expect(missing(['/a.yaml', '/infra/b.yaml'], ['/c.yaml'], ['/'])).toEqual([]);
    expect(missing(['/infrastructure/b.yaml'], ['/infra/c.yaml'], ['/infra'])).toHaveLength(1);
    // Another stack file with the name of the first one.
    expect(missing(['/trueup.yaml'], ['/staging/trueup.yaml'])).toEqual(['/trueup.yaml']);
    expect(missing(['/production/trueup.yaml'], ['/staging/trueup.yaml'])).toHaveLength(1);
  });

  it.each([
    ['at the top', ['infra/a.yaml', 'infra/parts/b.yaml', 'shared.yaml']],
    ['in the folder', ['../shared.yaml', 'a.yaml', 'parts/b.yaml']],
    ['below it', ['../../shared.yaml', '../a.yaml', 'b.yaml']],
    ['above the repository', ['repo/infra/a.yaml', 'repo/infra/parts/b.yaml', 'repo/shared.yaml']],
  ])('a ledger of before, whose run was started %s: the same files are the same', (_, remembered) => {
    const [a, b, shared] = ['/infra/a.yaml', '/infra/parts/b.yaml', '/shared.yaml'];
    expect(missing(remembered, [a, b, shared])).toEqual([]);
    // One more, and one that was deleted.
    expect(missing(remembered, [a, b, shared, '/infra/c.yaml'])).toEqual([]);
    expect(missing(remembered, [a, shared], ['/infra/parts'])).toEqual([]);
    for (const left of [a, b, shared]) {
      const found = missing(
        remembered,
        [a, b, shared].filter((one) => one !== left),
      );
      const name = left.split('/').at(-1)!;
      expect(found).toContain(remembered.find((one) => one.endsWith(name)));
    }
    expect(missing(remembered, ['/other/c.yaml'])).toEqual(remembered);
  });

  it('a ledger of before with one file, wherever that is from the place where its run was started', () => {
    for (const one of ['trueup.yaml', '../trueup.yaml', '../../infra/trueup.yaml', 'infra/trueup.yaml'])
      expect(missing([one], ['/repo/infra/trueup.yaml'])).toEqual([]);
    expect(missing(['../trueup.yaml'], ['/infra/other.yaml'])).toEqual(['../trueup.yaml']);
  });

  it('without a repository: the folder that names start at may be another one for another set', () => {
    expect(missing(['a.yaml'], ['one/a.yaml', 'two/b.yaml'])).toEqual([]);
    expect(missing(['one/a.yaml', 'two/b.yaml'], ['a.yaml'])).toEqual(['two/b.yaml']);
    // A whole folder is not whatever else there was beside it.
    expect(missing(['one/a.yaml', 'two/b.yaml'], ['a.yaml'], ['.'])).toEqual(['two/b.yaml']);
    expect(missing(['one/a.yaml', 'one/b.yaml'], ['a.yaml'], ['.'])).toEqual([]);
    expect(missing(['one/a.yaml', 'two/b.yaml'], ['c.yaml'], ['.'])).toHaveLength(2);
  });

  it('the same files, however they are named, are never missing; a file that no other is named like always is', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.yaml`);
    const files = fc.uniqueArray(file, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(files, fc.constantFrom('', 'p/', 'p/q/'), fc.boolean(), (set, start, isRooted) => {
        const now = set.map((one) => `${isRooted ? '/' : ''}${start}${one}`);
        expect(missing(set, now)).toEqual([]);
        expect(missing(now, set)).toEqual([]);
        expect(missing([...set, 'e/only.yaml'], now)).toEqual(['e/only.yaml']);
        expect(missing([...now, '/e/only.yaml'], now)).toEqual(['/e/only.yaml']);
      }),
    );
  });
});
