import type { Address } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Meta, Resource } from '../model/resource.ts';
import { mapRefs } from '../model/value.ts';
import { wholeObject } from './acceptance.ts';
import { comparableText } from './written-values.ts';

/*
 * Proves that an accepted change did what it should, before `trueup accept` writes the new texts to the files of the user.
 *
 * The new texts are planned like any configuration. They are right if
 *   1. the new plan changes nothing in the account that was accepted,
 *   2. the desired resources differ from the old ones only in accepted fields and objects, and
 *   3. the new plan has no errors that the old one did not have.
 */

/** Stands for the position of an object among its siblings in a set of accepted paths. */
export const orderPath = '$order';

/** The paths of the accepted fields by address; `wholeObject` stands for all fields and the object itself. */
export type AcceptedPaths = ReadonlyMap<Address, ReadonlySet<string>>;

/**
 * Compares the plan of the new texts with the old one, and returns the defects as sentences for people. `trueup accept` writes the new
 * texts only if there are none.
 * @param moves the accepted renames; `paths` has the new names
 */
export function findDefects(
  before: { plan: Plan; desired: Desired },
  after: { plan: Plan; desired: Desired },
  paths: AcceptedPaths,
  moves: readonly Move[],
): string[] {
  return [
    ...findOpenChanges(after.plan, paths).map(({ address, text }) => `${address} ${text}`),
    ...findOtherDifferences(renameResources(before.desired, moves), after.desired, paths),
    ...findNewErrors(before.plan, after.plan),
  ];
}

/** An accepted object that a plan of the new texts would still change. `text`: how, for a sentence that begins with the address. */
export interface OpenChange {
  address: Address;
  text: string;
}

/**
 * Finds accepted fields and objects that a plan of the new texts would still change in the account. Then the texts do not declare the live
 * values, and `accept` does not write them.
 */
export function findOpenChanges({ changes }: Pick<Plan, 'changes'>, paths: AcceptedPaths): OpenChange[] {
  return changes.flatMap((change): OpenChange[] => {
    const { address } = change;
    const accepted = paths.get(address);
    if (!accepted) return [];
    const openFields = change.fields.filter(
      (field) => asksForWrite(field) && overlapsAccepted(field.path, accepted),
    );
    if (openFields.length > 0) {
      const names = openFields.map(({ path }) => `\`${path}\``).join(', ');
      return [{ address, text: `would still be changed: ${names}` }];
    }
    if (accepted.has(orderPath) && change.moves) return [{ address, text: 'would still be moved' }];
    // An object that was accepted as a whole must not change at all. Of any other object, the accepted fields were compared above.
    const isOpen = accepted.has(wholeObject)
      ? sendsRequests(change)
      : change.action === 'create' || change.action === 'delete';
    return isOpen ? [{ address, text: `would still be ${participles[change.action] ?? 'changed'}` }] : [];
  });
}

const participles: Partial<Record<Change['action'], string>> = {
  create: 'created',
  delete: 'deleted',
  replace: 'replaced',
  move: 'moved',
};

/**
 * True if an apply would send a request for a change. Used to prove that the new texts of `trueup accept`
 * declare an object as it is: then nothing is left to send.
 */
const sendsRequests = ({ action, fields, moves }: Change): boolean =>
  action === 'create' ||
  action === 'delete' ||
  action === 'replace' ||
  moves === true ||
  fields.some(asksForWrite);

/**
 * True if a field was accepted, is inside an accepted one, or contains one. `wholeObject` accepts every field. Used to prove that an
 * accepted change is right.
 */
const overlapsAccepted = (path: string, accepted: ReadonlySet<string>): boolean =>
  [...accepted].some(
    (acceptedPath) =>
      acceptedPath === wholeObject ||
      acceptedPath === path ||
      path.startsWith(`${acceptedPath}.`) ||
      acceptedPath.startsWith(`${path}.`),
  );

/**
 * Returns the old desired resources as they should be after the accepted renames, so that they can be compared with the new ones. Addresses
 * and references get the new names, also in meta keys. A renamed resource gets the meta key `was` with its previous address, as `$was` in
 * the new configuration gives it. `moves`: the old and the new address of each renamed object.
 */
export function renameResources(desired: Desired, moves: readonly Move[]): Pick<Desired, 'resources'> {
  if (moves.length === 0) return desired;
  const newAddressOf = (address: Address) => addressAfter(address, moves);
  const resources = [...desired.resources.values()].map((resource): [Address, Resource] => {
    const { parent: oldParent, meta } = resource;
    const parent = oldParent && newAddressOf(oldParent);
    const fields = mapRefs(resource.fields, newAddressOf);
    const address = newAddressOf(resource.address);
    // The rename of this resource itself. Moves that follow from the rename of another object (`renamedBy`) need no `$was`.
    const isOwnRename = ({ from, to, renamedBy }: Move) => from === resource.address && renamedBy === to;
    const otherMoves = moves.filter((move) => !isOwnRename(move));
    const isRenamed = otherMoves.length < moves.length;
    const renamedMeta = renameMeta(meta, newAddressOf);
    // `was` has the old name of the resource, in a parent with its new name.
    const newMeta = isRenamed
      ? { ...renamedMeta, was: addressAfter(resource.address, otherMoves) }
      : renamedMeta;
    return [address, { ...resource, address, fields, meta: newMeta, ...(parent ? { parent } : {}) }];
  });
  return { resources: new Map(resources) };
}

/**
 * Returns the meta keys of a resource with the addresses in them renamed: those of `$secretTo` and `$then`, for example. So a rename is not
 * taken for a change of these settings.
 */
function renameMeta(meta: Meta, newAddressOf: (address: Address) => Address): Meta {
  const { was, dependsOn, secretTo, secretOf, actions } = meta;
  const isVariable = typeof secretTo === 'object' && 'variable' in secretTo;
  return {
    ...meta,
    was: was && newAddressOf(was),
    dependsOn: dependsOn?.map(newAddressOf),
    secretTo: isVariable ? { variable: newAddressOf(secretTo.variable) } : secretTo,
    secretOf: secretOf && {
      object: newAddressOf(secretOf.object),
      form: mapRefs(secretOf.form, newAddressOf),
    },
    actions: actions?.map((rule) => ({
      ...rule,
      input: mapRefs(rule.input, newAddressOf),
      about: rule.about.map(newAddressOf),
    })),
  };
}

/**
 * Finds differences between the old and the new desired resources that the user did not accept; then `accept` writes no file. An edit of a
 * text that several objects share could cause them.
 */
export function findOtherDifferences(
  { resources: oldResources }: Pick<Desired, 'resources'>,
  { resources: newResources }: Desired,
  paths: AcceptedPaths,
): string[] {
  const addresses = new Set([...oldResources.keys(), ...newResources.keys()]);
  return [...addresses].sort().flatMap((address): string[] => {
    const accepted = paths.get(address);
    if (accepted?.has(wholeObject)) return [];
    const before = oldResources.get(address);
    const after = newResources.get(address);
    if (!before || !after) return [`${address} would be ${before ? 'removed' : 'added'}, too`];
    const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
    const isAccepted = (name: string) =>
      [...(accepted ?? [])].some((path) => path === name || path.startsWith(`${name}.`));
    const isDifferent = (name: string) =>
      comparableText(before.fields[name]) !== comparableText(after.fields[name]);
    const differing = [...names].filter((name) => isDifferent(name) && !isAccepted(name));
    if (differing.length > 0) return [`${address} would also change: \`${differing.join('`, `')}\``];
    return metaTextOf(before) === metaTextOf(after)
      ? []
      : [`${address} would also have different \`$\` keys`];
  });
}

/** Returns the `$` keys, the parent and the kind of a resource as comparable text. */
const metaTextOf = ({ meta, parent, kind }: Resource): string =>
  canonicalJson({ meta: { ...meta }, parent, kind } as never);

/**
 * Returns the messages of errors that the old plan did not report, not even as warnings. Old errors are not the fault of the new texts.
 * Used to prove that an accepted change is right.
 */
const findNewErrors = (before: Plan, after: Plan): string[] => {
  const oldErrors = new Set(before.diagnostics.map(({ code, message }) => `${code} ${message}`));
  return after.diagnostics
    .filter(({ severity, code, message }) => severity === 'error' && !oldErrors.has(`${code} ${message}`))
    .map(({ message }) => message);
};
