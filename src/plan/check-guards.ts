import { canDo } from '../kind/define-kind.ts';
import { type Address, addressOf, globOf, globWithContents, isWithin } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { type Position, type Reporter, shellQuoted, warning } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { computeOnce } from '../model/graph.ts';
import { isOwnEntry } from '../model/ledger.ts';
import type { DeletedObject } from '../model/plan.ts';
import { collectionId, collectionParts, standardInput } from '../model/resource.ts';
import { isRef, type Value } from '../model/value.ts';
import { refuseUnpermitted } from './annotate-changes.ts';
import {
  checkClashes,
  checkDuplicateDescriptions,
  checkListsOfStacks,
  checkUniqueValues,
  refuseRecreations,
  reportSuspectedRenames,
} from './check-clashes.ts';
import { checkDanglingReferences } from './check-dangling-references.ts';
import type { PreparedInput } from './comparison.ts';
import type { PlacedDraft } from './draft-requests.ts';
import { findMissingInputs } from './find-missing-inputs.ts';
import { laneIdOf } from './find-waits.ts';
import type { PlanInput } from './input.ts';
import { limitDeletions } from './limit-deletions.ts';
import { proposeRenames } from './proposed-renames.ts';
import { findUnwrittenSecrets } from './shown-secrets.ts';

/** The number of API objects that are deleted although the object at the address stays, such as records of a DNS set; see `countLosses`. */
type Losses = ReadonlyMap<Address, number>;

/**
 * Reports suspicious changes: too many deletions, changes of protected objects, a plan from an incomplete
 * configuration, and others. Most are errors, with which an apply does not begin. One of the last steps of planning.
 */
export function checkGuards(
  changes: Change[],
  drafts: PlacedDraft[],
  { losses, deletedObjects }: { losses: Losses; deletedObjects: readonly DeletedObject[] },
  input: PreparedInput,
  report: Reporter,
): void {
  refuseEmptyConfiguration(input, report);
  reportVainDeletions(input, report);
  limitDeletions(deletedObjects, input, report);
  refuseUnverifiedLosses(losses, input, report);
  refuseLossOfProtected(changes, losses, input, report);
  refuseMissingFiles(changes, losses, input, report);
  reportConflicts(changes, input, report);
  refuseUnpermitted(changes, input, report);
  for (const draft of drafts) if (draft.problem) report.add(draft.problem);
  reportBlockedCollections(drafts, input, report);
  reportLeftoverVersions(drafts, input, report);
  refuseLostSecrets(changes, input, report);
  checkClashes(changes, input, report);
  checkUniqueValues(changes, input, report);
  checkListsOfStacks(input, report);
  checkDuplicateDescriptions(input, report);
  checkDanglingReferences(changes, input, report);
  refuseRecreations(changes, report);
  reportSuspectedRenames(changes, proposeRenames(changes, input, report), input, report);
}

/**
 * Reports lists that this plan changes but that cannot be changed now, for example because somebody else has an unpublished draft. Kinds in
 * one lane (such as those of a project's firewall) share such a draft, so each problem is reported once for a lane. With
 * `--ignore-draft`, nothing is reported.
 */
function reportBlockedCollections(
  drafts: PlacedDraft[],
  { live, kinds, options }: PlanInput,
  report: Reporter,
): void {
  if (options?.ignoreDrafts) return;
  const reported = new Set<string>();
  for (const collection of drafts.map((draft) => draft.collection)) {
    const { kind, parent } = collection;
    const id = collectionId(kind.name, parent);
    const blocked = live.blocked.get(id);
    const shared = `${blocked?.code} ${laneIdOf(collection, kinds) ?? id}`;
    if (!blocked || reported.has(shared)) continue;
    reported.add(shared);
    report.error(blocked.code, `${parent ?? kind.section}: ${blocked.message}`, { hint: blocked.hint });
  }
}

/**
 * Refuses a configuration without objects while the ledger has some, because a wrong path would look the same and delete everything.
 * Objects that were handed over to another stack, or that belong to others (`$existing`), do not count.
 */
function refuseEmptyConfiguration({ desired, ledger, options }: PlanInput, report: Reporter): void {
  if (options?.destroy || options?.toleratesMissing === 'undo' || desired.resources.size > 0) return;
  const ownedCount = Object.values(ledger.entries).filter(
    ({ handover, existing }) => handover === undefined && !existing,
  ).length;
  if (ownedCount === 0) return;
  const objects = ownedCount === 1 ? '1 object' : `${ownedCount} objects`;
  report.error('guard/empty', `the configuration declares nothing, but the ledger has ${objects}`, {
    hint: 'check the files; to delete everything, run `trueup destroy`',
  });
}

/**
 * Refuses to delete parts of an object, such as records of a DNS set, if the ledger says that they are ours but is not signed with the key:
 * anybody may have written such a ledger. Objects without an entry do not count, because the ledger did not cause their losses. Deletions
 * of whole objects are left out by `decide` already.
 */
function refuseUnverifiedLosses(
  losses: Losses,
  { ledger, unverifiedReason }: PlanInput,
  report: Reporter,
): void {
  if (unverifiedReason === undefined) return;
  const recordedAddresses = [...losses.keys()].filter((address) => ledger.entries[address]);
  for (const address of recordedAddresses)
    report.error('ledger/left-alone', `${address} would lose part of it, but ${unverifiedReason}`, {
      address,
      hint: 'review the ledger and sign it once with `trueup ledger sign`',
    });
}

/**
 * Reports each address on the command line of `destroy` that the plan cannot delete. Otherwise the plan would only release it, and it
 * could no longer be deleted from here.
 */
function reportVainDeletions(input: PreparedInput, report: Reporter): void {
  for (const address of input.options?.containersToDelete ?? []) {
    const obstacle = findDeletionObstacle(address, input);
    if (!obstacle) continue;
    const { code, severity, reason, hint, at } = obstacle;
    report[severity](code, `${address} is named for deletion, ${reason}`, { address, at, hint });
  }
}

/**
 * Why an address on the command line of `destroy` cannot be deleted. `reason` continues the sentence "projects/web is named for
 * deletion,".
 */
interface DeletionObstacle {
  code: string;
  severity: 'error' | 'warning';
  reason: string;
  hint: string;
  at?: Position;
}

/**
 * Returns why the plan cannot delete an address on the command line of `destroy`: `removed` keeps it, the platform cannot delete it, or
 * this stack does not own it. Undefined if the plan deletes it. Only the first is an error: a `destroy` that was stopped is run again with
 * the same addresses, although some of their objects are gone.
 */
function findDeletionObstacle(
  address: Address,
  { ledger, kinds, findRemoval }: PreparedInput,
): DeletionObstacle | undefined {
  const removal = findRemoval(address);
  if (removal?.deletes === false)
    return {
      code: 'delete/kept',
      severity: 'error',
      reason: 'but `removed` keeps it',
      at: removal.at,
      hint: 'write `delete: true` there to delete it, or do not name it on the command line',
    };
  const kind = kinds.get(ledger.entries[address]?.kind ?? '');
  if (kind && !canDo(kind, 'delete'))
    return {
      code: 'delete/impossible',
      severity: 'warning',
      reason: `but a ${kind.name} cannot be deleted from here`,
      hint: 'delete it in the dashboard; trueup stops managing it',
    };
  // An address without an entry may be that of a variable without its target, or of a section: it names the objects in it.
  const glob = ledger.entries[address] ? globOf(address) : globWithContents(address);
  const isNamed = createAddressMatcher([glob]);
  if (Object.entries(ledger.entries).some(([other, entry]) => isOwnEntry(entry) && isNamed(other)))
    return undefined;
  return {
    code: 'delete/not-owned',
    severity: 'warning',
    reason: 'but this stack does not own it',
    hint: '`trueup ledger list` shows what it owns; to delete something else, declare and apply it first',
  };
}

/**
 * Refuses to delete, replace or take away protected objects (`$protect`), and objects with protected content or grants.
 * `losses`: the objects that stay but lose a part, such as a record of a DNS set. An object that moves to another parent
 * (`transfer`) is taken away from the old one.
 */
function refuseLossOfProtected(changes: Change[], losses: Losses, input: PlanInput, report: Reporter): void {
  const isProtected = createProtectionTest(input);
  const findProtected = createProtectedFinder(changes, isProtected, input);
  for (const { address, action, before, after } of changes) {
    if (before?.transfer && isProtected(address) && !after?.meta.protect)
      report.error(
        'guard/protected',
        `${address} would be taken from ${before.transfer.parent}, but it is protected`,
        {
          address,
          hint: 'keep `$protect` where it is declared now, or apply once without it and then move it',
        },
      );
    const isLost = action === 'delete' || action === 'replace' || losses.has(address);
    const protectedAddress = isLost ? findProtected(address) : undefined;
    if (protectedAddress === undefined) continue;
    const loss = losses.has(address) ? 'lose what it holds' : 'be deleted';
    const subject = protectedAddress === address ? 'it' : protectedAddress;
    report.error('guard/protected', `${address} would ${loss}, but ${subject} is protected`, {
      address,
      hint: 'remove `$protect`, apply, then delete it',
    });
  }
}

/**
 * Creates the test if the object at an address is protected (`$protect`), by its block, its ledger entry or, for `destroy`, which plans
 * without blocks, by the YAML.
 */
const createProtectionTest =
  ({ desired, ledger, options }: PlanInput) =>
  (address: Address): boolean =>
    ledger.entries[address]?.protect === true ||
    desired.resources.get(address)?.meta.protect === true ||
    options?.protectedAddresses?.includes(address) === true;

/**
 * Creates the function which returns the protected object that is lost together with the object at an address: that object itself, one in
 * it, or a grant for it (an object whose name contains a reference to it, such as a role in a project). The platform deletes a grant with
 * its object.
 */
function createProtectedFinder(
  changes: readonly Change[],
  isProtected: (address: Address) => boolean,
  { ledger, kinds }: PlanInput,
): (address: Address) => Address | undefined {
  // Found once, since thousands of objects may be deleted.
  const protectedAddresses = computeOnce(() => Object.keys(ledger.entries).filter(isProtected));
  // Also grants that this plan only releases.
  const protectedChanges = changes.filter(({ address }) => isProtected(address));
  const isGrantFor = ({ before, kind }: Change, address: Address) =>
    before !== undefined && kinds.get(kind)!.key.some((name) => isRefTo(before.fields[name], address));
  return (address) => {
    if (isProtected(address)) return address;
    const content = protectedAddresses().find((other) => isWithin(other, address));
    return content ?? protectedChanges.find((change) => isGrantFor(change, address))?.address;
  };
}

const isRefTo = (value: Value | undefined, address: Address) => isRef(value) && value.$ref === address;

/**
 * Refuses the deletions and releases of a plan if this run did not read files that the last apply read. The blocks of a file that was not
 * passed with `-f` look like removed ones. `--fewer-inputs` allows it.
 */
function refuseMissingFiles(
  changes: Change[],
  losses: Losses,
  { desired, ledger, options = {} }: PlanInput,
  report: Reporter,
): void {
  const hasRemovals =
    losses.size > 0 ||
    changes.some(({ action, after }) => action === 'delete' || (action === 'release' && !after));
  if (options.destroy || options.fewerInputs || !hasRemovals) return;
  const missingFiles = findMissingInputs(ledger.inputs, desired).map((file) =>
    file === standardInput ? 'standard input' : file.replace(/^\//, ''),
  );
  if (missingFiles.length > 0)
    report.error(
      'guard/inputs',
      `this run does not read ${missingFiles.join(', ')}, which the last one did, so nothing is deleted or unmanaged`,
      {
        hint: 'pass all files with -f (`-f -` for standard input); if they are gone for good, --fewer-inputs deletes what only they declared',
      },
    );
}

/**
 * Reports fields that were changed both in the configuration and in the account, because the plan overwrites the change in the account.
 * This is an error if no person reads the plan, otherwise a warning.
 */
function reportConflicts(changes: Change[], { options = {}, desired }: PlanInput, report: Reporter): void {
  if (options.overwriteConflicts) return;
  for (const { address, fields, at: blockPosition } of changes) {
    const conflictingPaths = fields.filter(({ cause }) => cause === 'conflict').map(({ path }) => path);
    if (conflictingPaths.length === 0) continue;
    const paths = conflictingPaths.map((path) => `\`${path}\``);
    // The position of the first declared one. A removed field has none.
    const [at = blockPosition] = conflictingPaths.flatMap((path) => desired.fieldAt?.(address, path) ?? []);
    const details = {
      address,
      at,
      hint: options.unattended
        ? `to keep the outside change, run \`trueup accept ${shellQuoted(address)}\`; --overwrite-conflicts overwrites it`
        : `to keep the outside change, run \`trueup accept ${shellQuoted(address)}\`; approving this plan, or --overwrite-conflicts, overwrites it`,
    };
    const message = `${address}: ${paths.join(', ')} changed here and in the account`;
    report[options.unattended ? 'error' : 'warning']('guard/conflict', message, details);
  }
}

/**
 * Warns of a version that an earlier run staged and did not promote, and says whether this plan discards it. An interrupted run leaves such
 * a version, and people may wonder about it in the dashboard.
 */
function reportLeftoverVersions(drafts: PlacedDraft[], { live, kinds }: PlanInput, report: Reporter): void {
  const changed = new Set(drafts.map(({ collection: { kind, parent } }) => collectionId(kind.name, parent)));
  for (const [id, { id: version }] of live.staged) {
    const [parent, name] = collectionParts(id);
    const address = addressOf(parent, kinds.get(name)!.section, []);
    const text = `${address}: an earlier run staged a version (${version}) but did not promote it`;
    report.add(
      changed.has(id)
        ? warning('staged/left', `${text}; it will be discarded first`)
        : warning('staged/left', `${text}, and it is no longer needed`, {
            hint: 'discard it in the dashboard',
          }),
    );
  }
}

/**
 * Refuses to create an object that shows a secret only once if the configuration does not name a destination
 * for the secret, or if the plan leaves out the variable that takes it. The secret could not be read later.
 */
function refuseLostSecrets(changes: Change[], input: PlanInput, report: Reporter): void {
  const { kinds } = input;
  for (const { object, variable } of findUnwrittenSecrets(changes, input))
    report.error(
      'secret/nowhere',
      `${object.address}: the plan leaves out ${variable}, where its secret goes`,
      {
        address: object.address,
        at: object.at,
        hint: 'plan both together: the platform shows the secret only once, at creation',
      },
    );
  for (const { address, kind, action, after, at } of changes) {
    const { shows } = kinds.get(kind)!;
    if (!shows || !createsObject({ action }) || after?.meta.secretTo) continue;
    report.error(
      'secret/nowhere',
      `${address}: the platform shows its ${shows.secret} only once, at creation`,
      {
        address,
        at,
        hint: 'say where to write it: `$secretTo: { variable: ADDRESS }`, `{ file: PATH }`, `{ command: [PROGRAM, ...] }` (it reads standard input), or `discard`',
      },
    );
  }
}
