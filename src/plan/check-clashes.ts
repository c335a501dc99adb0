import { findDuplicateDescriptions } from '../kind/duplicate-descriptions.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import { lastNameOf } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { collectionId, type Desired, standardInput } from '../model/resource.ts';
import { createAttributeLookup, type PlanInput } from './input.ts';

/** Refuses siblings that the platform will not allow beside each other after the changes. */
export function checkClashes(changes: Change[], { kinds, live, secrets }: PlanInput, report: Reporter): void {
  const known = { secrets, attribute: createAttributeLookup(live) };
  const collections = groupBy(
    changes.filter(({ kind }) => kinds.get(kind)!.rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  const group = groupBy(
    [...live.resources.values()].filter(({ kind }) => kinds.get(kind)?.rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  for (const [id, of] of collections) {
    const kind = kinds.get(of[0]!.kind)!;
    const byAddress = new Map(of.map((change) => [change.address, change]));
    const strangers = (group.get(id) ?? []).filter(({ address }) => !byAddress.has(address));
    const staying = of.flatMap(({ address, action, after, before }) => {
      // A part of a deleted object may not be ours, and stays.
      const resource = live.resources.get(address);
      const goes = action === 'delete' && before!.ids.length === resource?.ids.length;
      if (after && action !== 'forget') return [{ address, fields: knownFields(kind, after, known) }];
      return resource && !goes ? [{ address, fields: resource.fields }] : [];
    });
    for (const { addresses, message, hint } of kind.rules.clashes!([...staying, ...strangers])) {
      const change = addresses
        .map((address) => byAddress.get(address))
        .find((c) => c && (c.action === 'create' || c.fields.some(asksForWrite)));
      if (change) report.error('plan/clash', message, { address: change.address, at: change.at, hint });
    }
  }
}

/**
 * Finds the files in a ledger that a configuration was not read from. A file that is missing from a folder that was read whole was
 * deleted, and does not count. Names that begin with `/` start at the top of a repository, and mean the same everywhere. Others start at
 * an unknown folder: there is no repository, or an earlier version noted them from its working directory. They are compared with the
 * folder added or removed in front of all of them that fits best; if none fits, all are missing.
 */
export function findMissingInputs(
  remembered: string[],
  { inputs, folders }: Pick<Desired, 'inputs' | 'folders'>,
): string[] {
  const isFile = (name: string) => name !== standardInput;
  const missing = findMissingFiles(remembered.filter(isFile), { inputs: inputs.filter(isFile), folders });
  const isInputMissing = remembered.includes(standardInput) && !inputs.includes(standardInput);
  return [...missing, ...(isInputMissing ? [standardInput] : [])];
}

function findMissingFiles(
  remembered: string[],
  { inputs, folders }: Pick<Desired, 'inputs' | 'folders'>,
): string[] {
  const read = new Set(inputs.map(fromStart));
  const whole = folders.map(fromStart);
  const isGone = (name: string) =>
    whole.some((folder) => folder === '' || name.startsWith(`${folder}/`)) && !name.startsWith('../');
  const isMissing = (name: string | undefined) => name === undefined || !(read.has(name) || isGone(name));

  const areRooted = inputs.every(isRooted);
  const isCertain = (name: string) => areRooted && isRooted(name);
  const loose = remembered.filter((name) => !isCertain(name));
  // Where all lie outside of the folder that they start at, that one does not matter.
  const ups = Math.min(...loose.map((name) => /^(\.\.\/)*/.exec(name)![0].length));
  const startOf = (name: string) => fromStart(name).slice(ups);
  const ways = [
    ...foldersOf([...read, ...whole.map((folder) => `${folder}/`)]).map(
      (folder) => (name: string) => joinFolder(folder, name),
    ),
    ...foldersOf(loose.map(startOf)).map(
      (folder) => (name: string) => (isNameIn(name, folder) ? name.slice(folder.length + 1) : undefined),
    ),
  ];
  const fits = ways
    .filter((way) => loose.some((name) => read.has(way(startOf(name)) ?? '')))
    .map((way) => new Set(loose.filter((name) => isMissing(way(startOf(name))))))
    .sort((a, b) => a.size - b.size);
  const missing = fits[0] ?? new Set(loose);
  return remembered.filter((name) => (isCertain(name) ? isMissing(fromStart(name)) : missing.has(name)));
}

const isRooted = (name: string) => name.startsWith('/');
const isNameIn = (name: string, folder: string) => name.startsWith(`${folder}/`);
/** A name without the `/` or `.` in front; the start folder itself is the empty name. */
const fromStart = (name: string) => (name === '.' ? '' : name.replace(/^\//, ''));

/** Joins a folder and a name; each `..` in front leads one folder up, and stays if there is none. */
function joinFolder(folder: string, name: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  const rest = name.split('/');
  while (rest[0] === '..' && parts.length > 0) {
    parts.pop();
    rest.shift();
  }
  return [...parts, ...rest].join('/');
}

/** The folders of names and all folders above them, each once. */
function foldersOf(names: string[]): string[] {
  const found = new Set(['']);
  for (const name of names)
    for (let index = name.lastIndexOf('/'); index > 0; index = name.lastIndexOf('/', index - 1))
      found.add(name.slice(0, index));
  return [...found];
}

/**
 * Reports each creation of an object that exists in the account, and that the plan deletes or releases under the address that the ledger has
 * for it. Its rename outside could not be followed, or the ledger followed a `$was` that was removed since.
 */
export function refuseRecreations(changes: readonly Change[], report: Reporter): void {
  const leaving = changes.filter(
    ({ action, after, before }) =>
      !after && before?.renamedTo !== undefined && (action === 'delete' || action === 'release'),
  );
  const leavingByName = new Map(leaving.map((change) => [change.before!.renamedTo!, change]));
  for (const { address, action, at } of changes) {
    const holder = action === 'create' ? leavingByName.get(address) : undefined;
    if (!holder) continue;
    report.error('was/missing', `${address} exists in the account, but is known here as ${holder.address}`, {
      address,
      at,
      hint: `write \`$was: ${lastNameOf(addressWithoutTarget(holder.address))}\` in its block to keep the existing object and its contents`,
    });
  }
}

/**
 * Warns if a container is created while another of its kind is released: often that is the same one under a new name. `proposed`: creations
 * for which a rename was proposed already.
 */
export function reportSuspectedRenames(
  changes: Change[],
  proposed: ReadonlySet<string>,
  { kinds }: PlanInput,
  report: Reporter,
): void {
  const containers = changes.filter(({ kind }) => kinds.get(kind)!.lifecycle.container);
  const left = containers.filter(({ action, after }) => action === 'release' && !after);
  for (const { address, kind, parent, action, at } of containers) {
    const others = left.filter((change) => change.kind === kind && change.parent === parent);
    if (action !== 'create' || others.length === 0 || proposed.has(address)) continue;
    if (left.some(({ before }) => before?.renamedTo === address)) continue;
    const names = others.map((change) => lastNameOf(change.address));
    report.warning(
      'was/suspected',
      `${address} would be created, and ${others.map((change) => change.address).join(', ')} no longer managed`,
      {
        address,
        at,
        hint: `if it is the same ${kind} under a new name, write \`$was: ${names[0]}\` in its block: it is renamed and keeps its contents`,
      },
    );
  }
}

/**
 * Refuses one fact in two places: an item of a list, and a block of its own for the same thing seen from its other end. If the two differ,
 * each apply would undo the other.
 */
export function checkDuplicateDescriptions({ desired, live, kinds }: PlanInput, report: Reporter): void {
  for (const { holder, name, described } of findDuplicateDescriptions(
    desired.resources.values(),
    live,
    kinds,
  ))
    report.error(
      'plan/said-twice',
      `${described.address} repeats what \`${name}\` of ${holder.address} declares (${holder.at.file}:${holder.at.line})`,
      {
        address: described.address,
        at: described.at,
        related: [{ message: `\`${name}\` is here`, at: holder.at }],
        hint: `keep one of the two: this block, or the item in \`${name}\``,
      },
    );
}
