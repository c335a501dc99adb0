import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requestsOf, type When } from '../../src/manual/kind-requests.ts';
import { kinds } from '../support/world.ts';

const page = readFileSync('docs/development.md', 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)];
const plain = (endpoint: string) => endpoint.replace(/ \/v\d+/, ' ').replace(/\?.*/, '');

it('the table of hard kinds has ten, each with the requests that its writes are', () => {
  expect(rows.map(([, name]) => name)).toHaveLength(10);
  for (const [, name, shape, writes] of rows) {
    const kind = kinds.get(name!)!;
    const isWrite = (when: When) => when !== 'list' && when !== 'read';
    const sent = requestsOf(kind).filter(({ when }) => when.some(isWrite));
    const told = [...writes!.matchAll(/`([^`]+)`/g)].map(([, endpoint]) => endpoint);
    expect([name, [...new Set(told)].sort()]).toEqual([
      name,
      [...new Set(sent.map(({ endpoint }) => plain(endpoint)))].sort(),
    ]);
    expect([name, shape!.includes('staged('), shape!.includes('document(')]).toEqual([
      name,
      kind.shape.staging !== undefined,
      kind.shape.document !== undefined,
    ]);
    expect([name, shape!.includes('ordered(')]).toEqual([name, kind.shape.orderDecides]);
  }
});
