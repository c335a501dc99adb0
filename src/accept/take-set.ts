import type { ReadBlock } from '../config/blocks/block.ts';
import { identityOf, omit } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Fields, holdsSecret } from '../model/value.ts';
import type { AcceptedSet } from './accepted.ts';
import type { Words } from './edit-value.ts';
import type { Findings } from './findings.ts';

/** The found and the wanted form of a set. */
type SetChange = Pick<Change, 'address' | 'before' | 'after'>;

/** Sets of which nothing is planned, since something stands in them that nobody declares. */
export function refusedSets(findings: Findings): { kind: Kind; change: SetChange }[] {
  const { desired, plan, live, kinds } = findings.given;
  const planned = new Set(plan.changes.map(({ address }) => address));
  return [...desired.resources.values()].flatMap((after): { kind: Kind; change: SetChange }[] => {
    const { address, meta } = after;
    const kind = kinds.get(after.kind)!;
    const before = live.resources.get(address);
    if (!kind.shape.merged || !before || meta.existing || meta.forget) return [];
    if (planned.has(address) || !findings.selection.isChosen(address)) return [];
    return [{ kind, change: { address, before, after } }];
  });
}

/** A set of which each member is a block: members are told apart by what need not be declared of none. */
export function takeSet(findings: Findings, kind: Kind, { address, before, after }: SetChange): void {
  const { rowOf } = kind.shape;
  if (holdsSecret(before?.fields) || holdsSecret(after?.fields)) {
    findings.left(address, 'it contains a secret: edit it by hand');
    return;
  }
  const blocks = findings.blocksOf.get(address) ?? [];
  const open = Object.values(comparedFields(kind)).flatMap((schema) => traitsOf(schema).whereDeclared ?? []);
  const wanted = blocks.map((block) => ({ block, row: rowOf!(block.units.map(({ fields }) => fields)) }));
  const found = (before?.rows ?? []).map(({ fields }) => rowOf!([fields]));
  const rest = [...found];
  const pairs: { block: ReadBlock; row: Fields; live: Fields }[] = [];
  const unpaired = wanted.filter(({ block, row }) => {
    const at = rest.findIndex((live) => identityOf(live, open) === identityOf(row, open));
    if (at >= 0) pairs.push({ block, row, live: rest.splice(at, 1)[0]! });
    return at < 0;
  });
  for (const { block, row } of unpaired.splice(0, rest.length))
    pairs.push({ block, row, live: rest.shift()! });
  const changed = pairs.map(({ block, row, live }) => {
    const undeclared = open.filter((name) => row[name] === undefined);
    return { block, fields: findings.rowFields(kind, [row, omit(live, undeclared)], address) };
  });
  const whole = found.map((row) => rowWords(findings, kind, row, address));
  const added = rest.map((row) => rowWords(findings, kind, row, address));
  if (changed.some(({ fields }) => !fields) || whole.includes(undefined)) return;
  findings.result.accepted.push({
    type: 'set',
    address,
    addresses: [address],
    changed: changed as AcceptedSet['changed'],
    gone: unpaired.map(({ block }) => block),
    added,
    whole,
    blocks,
  });
  findings.note(address, '');
}

/** A row as a block says it. */
function rowWords(findings: Findings, kind: Kind, row: Fields, address: Address): Words {
  const fields = findings.rowFields(kind, [{}, row], address);
  return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0]!, after]));
}
