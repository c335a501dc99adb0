import type { ReadBlock } from '../config/blocks/block.ts';
import { omit } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { Fields, Value } from '../model/value.ts';
import type { EntryWords } from './accepted.ts';
import { type Findings, text } from './findings.ts';

/** An entry whose units lie in rows of the platform: all its units are one row, or it is told that they are not any more. */
export function takeRow(findings: Findings, kind: Kind, block: ReadBlock, changes: Change[]): void {
  const addresses = changes.map(({ address }) => address);
  const found = new Map<Address, Change>(changes.map((change) => [change.address, change]));
  const before = block.units.map(({ fields }) => fields);
  const after: Fields[] = [];
  const taken = new Map<Address, string[]>();
  for (const unit of block.units) {
    const change = found.get(unit.address);
    if (change && findings.isGone(change)) {
      taken.set(unit.address, ['']);
      continue;
    }
    const fields = { ...unit.fields };
    for (const { path } of change ? findings.fieldsOf(change) : []) {
      const value = findings.value(kind, change!, path);
      if (!value) continue;
      fields[path] = value.value as Value;
      addTo(taken, unit.address, path);
    }
    after.push(fields);
  }
  if (taken.size === 0) return;
  const noted = () => {
    for (const [address, paths] of taken) for (const path of paths) findings.note(address, path);
  };
  if (after.length === 0) {
    findings.result.accepted.push({ type: 'gone', addresses, block });
    noted();
    return;
  }
  const names = [...new Set([...taken.values()].flat())].filter((name) => name !== '');
  const [stays, ...others] = unitsAlike(after, before, names);
  const rowOf = kind.shape.rowOf!;
  const old = rowOf(before);
  const fields = findings.rowFields(kind, [old, rowOf(stays!)], addresses[0]!);
  if (!fields) return;
  if (others.length === 0) findings.result.accepted.push({ type: 'fields', addresses, block, fields });
  else {
    const whole = [stays!, ...others].map((units) =>
      entryWords(findings, kind, [old, rowOf(units)], addresses[0]!),
    );
    if (whole.includes(undefined)) return;
    const [, ...added] = whole as EntryWords[];
    findings.result.accepted.push({
      type: 'split',
      addresses,
      block,
      fields,
      added,
      whole: whole as EntryWords[],
    });
  }
  noted();
}

/** The differences of an entry from the one that it was a part of; undefined if nothing can say them. */
function entryWords(
  findings: Findings,
  kind: Kind,
  [old, row]: [Fields, Fields],
  address: Address,
): EntryWords | undefined {
  const changed = findings.rowFields(kind, [omit(old, kind.key), omit(row, kind.key)], address);
  return changed && new Map(changed.map(({ path, after }) => [path[0]!, after]));
}

/** Units by what they are to say: first those that go on to say what all of them did, else the most. */
function unitsAlike(units: Fields[], before: Fields[], names: string[]): Fields[][] {
  const said = (fields: Fields) => names.map((name) => text(fields[name])).join();
  const groups = [...groupBy(units, said).values()];
  const old = said(before[0]!);
  const rank = ([first, ...others]: Fields[]) => (said(first!) === old ? Number.MAX_VALUE : others.length);
  return groups.sort((a, b) => rank(b) - rank(a));
}
