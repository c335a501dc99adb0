import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { kindWith, loadedOnUse } from '../../src/kind/load-on-use.ts';

/** Returns a kind that is loaded on use, and a function which returns how often it was loaded. */
function createLazy(declared: Kind): { kind: Kind; loads: () => number } {
  let loads = 0;
  const { name, section, parent } = declared;
  const kind = loadedOnUse({ name, section, parent }, () => {
    loads += 1;
    return declared;
  });
  return { kind, loads: () => loads };
}

/** A member to compare. Each kind makes its own schemas on first use, so only their names are compared. */
const comparable = (kind: Kind, member: keyof Kind) =>
  member === 'fields' ? Object.keys(kind.fields) : kind[member];

const membersOf = (kind: Kind) => Object.keys(kind) as (keyof Kind)[];

describe.each(hosting.kinds)('the kind $name', (declared) => {
  it('is not loaded while only its head is read', () => {
    const { kind, loads } = createLazy(declared);
    expect([kind.name, kind.section, kind.parent]).toEqual([
      declared.name,
      declared.section,
      declared.parent,
    ]);
    expect(loads()).toBe(0);
  });

  it('equals its declaration after any other member is read, and is loaded once', () => {
    const bodyMembers = membersOf(declared).filter(
      (member) => !['name', 'section', 'parent'].includes(member),
    );
    for (const member of bodyMembers) {
      const { kind, loads } = createLazy(declared);
      expect(comparable(kind, member)).toEqual(comparable(declared, member));
      expect(new Set([...membersOf(kind), 'parent'])).toEqual(new Set([...membersOf(declared), 'parent']));
      for (const other of membersOf(declared))
        expect(comparable(kind, other)).toEqual(comparable(declared, other));
      expect(loads()).toBe(1);
    }
  });

  it('is copied whole', () => {
    const { kind } = createLazy(declared);
    const copy = kindWith(kind, { form: 99 });
    for (const member of membersOf(declared))
      expect(comparable(copy, member)).toEqual(member === 'form' ? 99 : comparable(declared, member));
  });
});

it('a member that the declaration lacks is undefined, and absent afterwards', () => {
  const [declared] = hosting.kinds;
  const { otherWords: _, ...withoutWords } = declared!;
  const { kind } = createLazy(withoutWords);
  expect(kind.otherWords).toBeUndefined();
  expect('otherWords' in kind).toBe(false);
});

it('no source copies a kind with `...`, which would miss what is not loaded', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const copies = sources.filter((file) =>
    /\{ \.\.\.(?:kind|child|parentKind)[ ,]/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(copies).toEqual([]);
});
