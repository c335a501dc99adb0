import { diffLines } from 'diff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { canDo } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyOf, casesOf, type FieldCase, touched, withoutKind } from '../support/field-cases.ts';
import { type Block, sampleSeed } from '../support/samples.ts';
import { inTurn, sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { type AcceptedText, acceptIn, fileOf } from './accepted-text.ts';

let world: World;
beforeAll(async () => {
  world = await World.start({ seed: sampleSeed });
});
afterAll(() => world.stop());

const options = { maxDeletions: 1000, overwriteConflicts: true };
const named = (kinds: Kind[]) => kinds.map((kind) => [kind.name, kind] as const);

/** How people write: in lines, in brackets, far indented with a comment at each line, with other line ends. */
const layouts: Record<string, (body: Block) => string> = {
  lines: (body) => stringify(body),
  brackets: (body) =>
    Object.entries(body)
      .map(([name, value]) => `${name}:\n${inBrackets(value as Block)}`)
      .join(''),
  comments: (body) =>
    JSON.stringify(body).includes('\\n')
      ? stringify(body, { indent: 4 })
      : stringify(body, { indent: 4, lineWidth: 0 }).replace(
          /^( *)(- )?(\w.*[^|>])$/gm,
          '$1# above\n$1$2$3 # behind',
        ),
  'other line ends': (body) => stringify(body, { indentSeq: false }).replaceAll('\n', '\r\n'),
};

const inBrackets = (blocks: Block): string =>
  Object.entries(blocks)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}\n`)
    .join('');

/** What somebody else did with all rights, from one configuration to another. */
async function changedOutside(ours: Record<string, string>, theirs: Block): Promise<void> {
  world.clear();
  await world.converge(ours, options);
  const { ledger } = world;
  await world.converge(fileOf(world, stringify(theirs)), options);
  world.ledger = ledger;
}

/** The content of a picture is in no answer. */
const tellsAll = ({ name }: Kind) => name !== 'avatar';

describe('what was changed outside in every field of every kind', () => {
  const kinds = sampled(allKinds.filter(tellsAll), 1);
  it.each(named(kinds))('%s', async (_, kind) => {
    const cases = casesOf(kind);
    const [one, other] = [bodyOf(kind, cases, 1), bodyOf(kind, cases, 2)];
    for (const layout of inTurn(Object.keys(layouts), allKinds.indexOf(kind), 1)) {
      const ours = fileOf(world, layouts[layout]!(one));
      await changedOutside(ours, other);
      const result = await acceptIn(world, ours, {}, options);
      const { unplaced, wrong, leftOut, open } = result;
      expect({ layout, unplaced, wrong, open, left: leftOut }).toEqual({
        layout,
        unplaced: [],
        wrong: [],
        open: [],
        left: [],
      });
      expect(strayLines(ours, result, cases)).toEqual([]);
    }
  });
});

/** Lines that changed although they belong to nothing that was taken over; the comments that are gone. */
function strayLines(
  ours: Record<string, string>,
  { texts, paths }: AcceptedText,
  cases: FieldCase[],
): string[] {
  const [before, after] = [Object.values(ours)[0]!, Object.values(texts)[0]!];
  const isMeant = ({ label }: FieldCase) => [...paths.keys()].some((address) => touched(address, label));
  const lines = before.split('\n');
  // What is made for all cases at once belongs to each of them.
  const ownerOf = (from: number) => {
    const at = lines.findIndex((text, index) => index >= from && !/^ *#/.test(text));
    const line = lines.slice(0, at + 1).findLast((text) => cases.some(({ label }) => text.includes(label)));
    return cases.filter(({ label }) => line?.includes(label));
  };
  const stray: string[] = [];
  let at = 0;
  for (const { added, removed, value, count } of diffLines(before, after)) {
    if (removed) {
      let comments = 0;
      for (let i = at; i < at + count; i++) {
        const owners = ownerOf(i);
        // A comment goes with what it is above, and with nothing else.
        if (/^ *# above/.test(lines[i]!)) comments++;
        else if (owners.length > 0 && !owners.some(isMeant)) stray.push(lines[i]!);
      }
      if (comments * 2 > count) stray.push('comments without what they are about');
    }
    if (!added) at += count;
    if (added && /\n\n\n|[ \t]+$/m.test(value.replaceAll('\r', '')) && !/[|>]/.test(value)) stray.push(value);
  }
  const comments = (text: string) => text.match(/# above/g)?.length ?? 0;
  if (comments(after) > comments(before)) stray.push('comments that were not there');
  return stray;
}

/** What stays: a configuration that declares nothing is refused. */
const keeper = 'accessGroups: { keeper: {} }\n';

describe('what was deleted outside', () => {
  const deletable = allKinds.filter((kind) => canDo(kind, 'delete') && canDo(kind, 'create'));
  it.each(named(sampled(deletable, 1)))('%s', async (_, kind) => {
    const cases = casesOf(kind);
    const one = bodyOf(kind, cases, 1);
    for (const layout of inTurn(Object.keys(layouts), allKinds.indexOf(kind), 1)) {
      const ours = fileOf(world, `${layouts[layout]!(one)}\n---\n${keeper}`);
      world.clear();
      await world.converge(ours, options);
      const { ledger } = world;
      const gone = Object.entries(ledger.entries).flatMap(([address, entry]) =>
        entry.kind === kind.name && address !== 'accessGroups/keeper' ? [address] : [],
      );
      const theirs = fileOf(world, `${stringify(withoutKind(one, kind))}\n---\n${keeper}`);
      await world.converge(theirs, { ...options, containersToDelete: gone });
      world.ledger = ledger;
      const { unplaced, wrong, leftOut, open, after } = await acceptIn(world, ours, {}, options);
      expect({ layout, unplaced, wrong, open, left: leftOut }).toEqual({
        layout,
        unplaced: [],
        wrong: [],
        open: [],
        left: [],
      });
      expect(after.operations).toEqual([]);
    }
  });
});

describe('what is there, and nobody declares', () => {
  it.each(named(sampled(allKinds.filter(tellsAll), 1)))('%s', async (_, kind) => {
    const cases = casesOf(kind);
    const one = bodyOf(kind, cases, 1);
    const bare = withoutKind(one, kind);
    for (const layout of inTurn(Object.keys(layouts), allKinds.indexOf(kind), 1)) {
      const ours = fileOf(world, layouts[layout]!(bare));
      world.clear();
      await world.converge(ours, options);
      const { ledger } = world;
      await world.converge(fileOf(world, stringify(one)), options);
      world.ledger = ledger;
      const also = (one: Kind) => one.name === kind.name;
      const found = await world.plan(ours, options, also);
      const additions = new Set(
        found.plan.unmanaged.flatMap(({ address, kind: name }) =>
          name === kind.name && found.live.resources.has(address) ? [address] : [],
        ),
      );
      const result = await acceptIn(world, ours, { isChosen: () => false }, options, additions, also);
      const { unplaced, wrong, after } = result;
      expect({ layout, unplaced, wrong }).toEqual({ layout, unplaced: [], wrong: [] });
      expect(after.operations).toEqual([]);
    }
  });
});
