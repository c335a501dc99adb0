import { can, childKinds, placesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Label } from '../kind/shape.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { type Fields, isPlainObject, isRef, type Value } from '../model/value.ts';
import { noPlace } from './expressible.ts';
import { isOptional } from './field-values.ts';
import { neededBy } from './needed-by.ts';
import { notRead } from './not-read.ts';
import { type Part, partsOf } from './parts-of.ts';
import { type Written, WrittenMap } from './print.ts';
import { escaped, secretNames, writeField } from './write-field.ts';

export interface ExportOptions {
  live: Live;
  kinds: Kinds;
  /** What is wanted; all by default. What it is in, and what it names, comes as `$existing`. */
  isChosen?(address: Address): boolean;
  /** Whether a secret of this name would be read as another value here. Default: none would. */
  isTaken?(name: string, value: Sealed | undefined): boolean;
}

export interface Exported {
  /** By section of the root. */
  sections: { name: string; value: Written }[];
  /** Secrets that the values need, by name; what was read of them, for nobody to see. */
  secrets: Map<string, Sealed | undefined>;
  /** What is not in it, and why. */
  notes: string[];
  /** How many objects are in it. */
  count: number;
}

/** Something as it is written, with what there is to say above it. */
interface Block {
  key?: string;
  value: Written;
  comments: string[];
}

/** An account as configuration, such that a plan of it finds everything equal. Equal accounts give equal bytes. */
export function exportLive({
  live,
  kinds,
  isChosen = () => true,
  isTaken = () => false,
}: ExportOptions): Exported {
  const secrets = secretNames(isTaken);
  const notes: string[] = [];
  const all = [...live.resources.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  const chosen = new Set(all.filter(({ address }) => isChosen(address)).map(({ address }) => address));
  const needed = neededBy(all.filter(({ address }) => chosen.has(address)));
  let count = 0;

  function sectionOf(kind: Kind, parent: LiveResource | undefined): Block | undefined {
    const objects = objectsOf(kind, parent);
    if (objects.length === 0) return undefined;
    const labels = kind.shape.labels?.(kind, objects);
    const blocks = partsOf(kind, objects).flatMap(
      (part) => blockOf(kind, part, parent, labels?.get(part.of)) ?? [],
    );
    if (blocks.length === 0 || kind.key.length === 0) return blocks[0];
    return { value: kind.yaml.mapBy === undefined ? blocks.map(listed) : mapOf(blocks), comments: [] };
  }

  /** The objects of a collection; of several with one name only the first can be declared. */
  function objectsOf(kind: Kind, parent: LiveResource | undefined): LiveResource[] {
    const own = all.filter((one) => one.kind === kind.name && one.parent === parent?.address);
    const wanted = own.filter(({ address }) => chosen.has(address) || needed.has(address));
    const declared = wanted.flatMap((one) => {
      const [first, ...others] = [...(one.alternatives ?? [one])].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const { id } of others)
        notes.push(
          `${one.address} is there more than once; beside ${first!.id} there is ${id}, which cannot be declared under the same name`,
        );
      return first!;
    });
    // Of several with one name, the place of the declared one counts.
    return kind.shape.orderDecides ? declared.sort((a, b) => a.index - b.index) : declared;
  }

  function blockOf(
    kind: Kind,
    { of, fields: found }: Part,
    parent: LiveResource | undefined,
    called?: Label,
  ): Block | undefined {
    const label = called?.text;
    const isWanted = chosen.has(of.address);
    const key = kind.yaml.mapBy === undefined ? undefined : nameOf(found[kind.yaml.mapBy] ?? null);
    const wrongKey = isWanted && label === undefined && key !== undefined && whyNoKey(kind, found, key);
    if (wrongKey) return leftOut(of, wrongKey);
    const fields: Fields = label === undefined ? found : { ...found, [kind.key[0]!]: label };
    const comments: string[] = [];
    const block = new WrittenMap();
    if (isWanted && (called?.needsId || isOneOfSeveral(kind, of))) block.add('$id', escaped(of.id));
    if (!isWanted) block.add('$existing', true);
    let isTouched = false;
    const kept: Fields = {};
    for (const [name, schema] of Object.entries(kind.fields)) {
      if (name === kind.yaml.mapBy && fields[name] !== undefined) kept[name] = fields[name];
      if (name === kind.yaml.mapBy || (!isWanted && !kind.key.includes(name))) continue;
      const words = wordsOf(kind, of.address, label, kinds);
      const isSecret = traitsOf(schema).secret;
      const written = writeField(name, schema, fields[name], {
        secrets,
        words,
        usual: kind.usual?.[name],
        isSecret: typeof isSecret === 'function' ? isSecret(fields) : isSecret === true,
      });
      if (written === undefined) continue;
      if ('problem' in written) {
        if (!isOptional(schema)) return leftOut(of, written.problem);
        comments.push(written.problem);
        continue;
      }
      if (written.comment) comments.push(written.comment);
      if (!kind.key.includes(name) && !isFalsy(written.value)) isTouched = true;
      block.add(name, written.value);
      if (fields[name] !== undefined) kept[name] = written.says ?? fields[name];
    }
    const findings = isWanted ? (kind.rules.check?.(valuesOf(kept), parent?.fields ?? {}) ?? []) : [];
    const wrong = findings.find(({ severity }) => severity !== 'warning');
    if (wrong) return leftOut(of, wrong.message);
    for (const child of childKinds(kinds, kind.name)) {
      const section = sectionOf(child, of);
      if (section) block.add(child.section, section.value, section.comments);
      if (section) isTouched = true;
    }
    const untold = isWanted ? (of.undeclared ?? []).map(cannotSay) : [];
    // What always exists is said only where somebody has touched it.
    if (!isTouched && !can(kind, 'create')) {
      for (const said of untold) notes.push(`${of.address}: ${said}`);
      return undefined;
    }
    comments.push(...untold);
    if (isWanted) count += 1;
    const name = kind.yaml.mapBy === undefined ? undefined : nameOf(fields[kind.yaml.mapBy]!);
    return { ...(name === undefined ? {} : { key: name }), value: shortened(kind, block), comments };
  }

  const isOneOfSeveral = ({ shape }: Kind, one: LiveResource): boolean =>
    !shape.byAddress && (one.alternatives ?? live.resources.get(one.address)?.alternatives) !== undefined;

  function leftOut({ address, id }: LiveResource, problem: string): undefined {
    notes.push(`${address} (${id}) is left out: ${problem}`);
  }

  const sections = childKinds(kinds, undefined).flatMap((kind) => {
    const section = sectionOf(kind, undefined);
    return section ? [{ name: kind.section, value: section.value }] : [];
  });
  return { sections, secrets: secrets.all(), notes: [...notes, ...notRead(live, kinds)], count };
}

/** A map of blocks; several under one key are a list. */
function mapOf(blocks: Block[]): WrittenMap {
  const map = new WrittenMap();
  const byKey = [...groupBy(blocks, ({ key }) => key!)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, of] of byKey) {
    const [one] = of;
    if (of.length === 1) map.add(key, one!.value, one!.comments);
    else map.add(key, of.map(listed));
  }
  return map;
}

/** A block as an item of a list, with its comments above it. */
function listed({ value, comments }: Block): Written {
  if (value instanceof WrittenMap) value.comments.push(...comments);
  return value;
}

/** A block that says no more than its shorthand, as that. */
function shortened(kind: Kind, block: WrittenMap): Written {
  const [entry, another] = block.entries;
  const isAlone =
    entry && !another && kind.yaml.shorthand && Object.keys(kind.yaml.shorthand('')).join() === entry.key;
  const isScalar = entry && typeof entry.value !== 'object' && entry.comments.length === 0;
  return isAlone && isScalar ? entry.value : block;
}

const cannotSay = (setting: string): string =>
  `\`${setting}\` is set in the account, and no configuration can say it: it stays as it is`;

const nameOf = (value: Value): string => escaped(isRef(value) ? lastNameOf(value.$ref) : String(value));

/** Why a block cannot be called what the object is called. */
function whyNoKey(
  { yaml: { mapBy }, fields: schemas }: Kind,
  fields: Fields,
  key: string,
): string | undefined {
  // Keys with $ are about a resource, and the parser refuses the other one.
  if (key === '__proto__' || /^\$(?!\$?\{)/.test(key)) return `no block can have the name "${key}"`;
  const value = fields[mapBy!];
  const { issues } = schemas[mapBy!]!.safeParse(value, { error: () => noPlace }).error ?? { issues: [] };
  return isRef(value) || traitsOf(schemas[mapBy!]!).ref ? undefined : issues[0]?.message;
}

/** The names on the way to an object, without sections; what secrets in it are called after. */
function wordsOf(kind: Kind, address: Address, label: string | undefined, kinds: Kinds): string[] {
  const names = placesOf(address, kind.name, kinds).flatMap(([name, , at]) =>
    kinds.get(name)!.key.length === 0 ? [] : [lastNameOf(at.replace(/@[^/]+$/, ''))],
  );
  return label === undefined ? names : [...names.slice(0, -1), label];
}

/** Fields as a check sees them. */
const valuesOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;

const isFalsy = (value: Written): boolean =>
  !value ||
  (isPlainObject(value) &&
    !(value instanceof WrittenMap) &&
    Object.values(value).every((item) => isFalsy(item as Written)));
