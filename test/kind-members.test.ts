import { expect, it } from 'vitest';
import { kinds } from '../providers/hosting/kinds/index.ts';
import type { Kind } from '../src/kind/kind.ts';

/** What hangs below a kind: a group of members, and not a value of one. */
const groups = ['yaml', 'lifecycle', 'rules', 'read'] as const;

/** Derived, or there in each kind. */
const always = new Set(['name', 'doc', 'section', 'key', 'fields', 'shape', 'read', ...groups, 'yaml.mapBy']);

const usersOf = new Map<string, string[]>();
const note = (member: string, { name }: Kind) => usersOf.set(member, [...(usersOf.get(member) ?? []), name]);
for (const kind of kinds) {
  for (const member of Object.keys(kind)) note(member, kind);
  for (const group of groups) for (const member of Object.keys(kind[group])) note(`${group}.${member}`, kind);
}

it('a kind has few members, and each of them several users', () => {
  const few = [...usersOf].filter(([, users]) => users.length < 4);
  console.log(
    `members of a kind with few users: ${few.map(([name, users]) => `${name} (${users.join(', ')})`).join('; ')}`,
  );
  const own = [...usersOf.keys()].filter((name) => !name.includes('.'));
  expect(own.length).toBeLessThanOrEqual(24);
  expect(usersOf.size).toBeLessThanOrEqual(52);
  const single = [...usersOf].filter(([name, users]) => users.length === 1 && !always.has(name));
  expect(single.map(([name]) => name).sort()).toEqual([]);
});
