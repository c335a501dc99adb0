import { canDo } from '../kind/define-kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, type Reporter, warning } from '../model/diagnostic.ts';
import { collectionId, collectionParts, standardInput } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { isRef, type Value } from '../model/value.ts';
import {
  checkClashes,
  checkDuplicateDescriptions,
  findMissingInputs,
  refuseRecreations,
  reportSuspectedRenames,
} from './check-clashes.ts';
import { checkDanglingReferences } from './check-dangling-references.ts';
import { checkUniqueValues } from './check-unique-values.ts';
import type { PlacedDraft } from './draft-requests.ts';
import type { PlanInput } from './input.ts';
import { limitDeletions } from './limit-deletions.ts';
import { allowed } from './permissions.ts';
import { proposeRenames } from './proposed-renames.ts';
import { findUnwrittenSecrets } from './shown-secrets.ts';

/** The number of objects deleted behind each address that stays; see `lossesIn`. */
type Losses = ReadonlyMap<Address, number>;

/** Refuses suspicious changes: too many deletions, changes of protected objects, a plan from an incomplete configuration. */
export function checkGuards(
  changes: Change[],
  drafts: PlacedDraft[],
  losses: Losses,
  input: PlanInput,
  report: Reporter,
): void {
  emptySet(input, report);
  namedDeletions(input, report);
  limitDeletions(changes, losses, input, report);
  unverifiedLosses(losses, input, report);
  protection(changes, losses, input, report);
  guardInputs(changes, losses, input, report);
  conflicts(changes, input, report);
  allowed(changes, input, report);
  for (const draft of drafts) if (draft.problem) report.add(draft.problem);
  const blockedSeen = new Set<string>();
  for (const { kind, parent } of drafts.map((draft) => draft.collection)) {
    const id = collectionId(kind.name, parent);
    const blocked = input.live.blocked.get(id);
    const shared = `${blocked?.code} ${kind.lifecycle.lane ?? id}`;
    if (!blocked || blockedSeen.has(shared) || input.options?.ignoreDrafts) continue;
    blockedSeen.add(shared);
    report.error(blocked.code, `${parent ?? kind.section}: ${blocked.message}`, { hint: blocked.hint });
  }
  leftStaged(drafts, input, report);
  shownOnce(changes, input, report);
  checkClashes(changes, input, report);
  checkUniqueValues(changes, input, report);
  checkDuplicateDescriptions(input, report);
  checkDanglingReferences(changes, input, report);
  refuseRecreations(changes, report);
  reportSuspectedRenames(changes, proposeRenames(changes, input, report), input, report);
}

/** Refuses a configuration without objects, since a wrong path looks the same. What was handed over to another stack is not lost. */
function emptySet({ desired, ledger, options }: PlanInput, report: Reporter): void {
  const owned = Object.values(ledger.entries).filter(({ handover }) => handover === undefined).length;
  if (options?.destroy || options?.toleratesMissing === 'undo' || desired.resources.size > 0 || owned === 0)
    return;
  const objects = owned === 1 ? '1 object' : `${owned} objects`;
  report.error('guard/empty', `the configuration declares nothing, but the ledger has ${objects}`, {
    hint: 'check the files; to delete everything, run `trueup destroy`',
  });
}

/** Refuses to delete parts of an object because an unverified ledger calls them ours; `decide` leaves whole objects alone. */
function unverifiedLosses(losses: Losses, { ledger, unverifiedReason }: PlanInput, report: Reporter): void {
  if (unverifiedReason === undefined) return;
  for (const address of losses.keys())
    if (ledger.entries[address])
      report.error('ledger/left-alone', `${address} would lose part of it, but ${unverifiedReason}`, {
        address,
        hint: 'review the ledger and sign it once with `trueup ledger sign`',
      });
}

/** Reports a container that `--delete` names in vain: it would be released instead, and could not be deleted any more. */
function namedDeletions({ desired, ledger, kinds, options = {} }: PlanInput, report: Reporter): void {
  for (const address of options.containersToDelete ?? []) {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? '');
    if (desired.resources.has(address))
      report.error('delete/declared', `--delete names ${address}, which is still declared`, {
        address,
        hint: 'remove its block and run this again',
      });
    else if (kind && !canDo(kind, 'delete'))
      report.add(
        (options.destroy ? warning : problem)(
          'delete/impossible',
          `--delete names ${address}, but a ${kind.name} cannot be deleted from here`,
          { address, hint: 'delete it in the dashboard; without --delete trueup only stops managing it' },
        ),
      );
    else if ((!entry || entry.existing) && options.toleratesMissing !== 'one')
      // A destroy that was stopped is run again with the same words.
      report[options.destroy ? 'warning' : 'error'](
        'delete/not-owned',
        `--delete names ${address}, which this stack does not own`,
        {
          address,
          hint: '`trueup ledger list` shows what it owns; to delete something else, declare and apply it first',
        },
      );
  }
}

function protection(
  changes: Change[],
  losses: Losses,
  { desired, ledger, options, kinds }: PlanInput,
  report: Reporter,
): void {
  const isProtected = (at: string) =>
    ledger.entries[at]?.protect ||
    desired.resources.get(at)?.meta.protect ||
    options?.protectedAddresses?.includes(at);
  // Asked once: thousands may go.
  const owned = Object.keys(ledger.entries).filter(isProtected);
  // A grant goes with what it is for, wherever it stands, also while it is let go.
  const grants = changes.filter(({ address, before }) => before && isProtected(address));
  const isFor = ({ before, kind }: Change, address: Address) =>
    kinds.get(kind)!.key.some((name) => isRefTo(before!.fields[name], address));
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
    if (action !== 'delete' && action !== 'replace' && !losses.has(address)) continue;
    const held = isProtected(address)
      ? address
      : (owned.find((other) => isWithin(other, address)) ??
        grants.find((grant) => isFor(grant, address))?.address);
    if (held === undefined) continue;
    report.error(
      'guard/protected',
      `${address} would ${losses.has(address) ? 'lose what it holds' : 'be deleted'}, but ${held === address ? 'it' : held} is protected`,
      { address, hint: 'remove `$protect`, apply, then delete it' },
    );
  }
}

const isRefTo = (value: Value | undefined, address: Address) => isRef(value) && value.$ref === address;

function guardInputs(
  changes: Change[],
  losses: Losses,
  { desired, ledger, options = {} }: PlanInput,
  report: Reporter,
): void {
  const letsGo =
    losses.size > 0 ||
    changes.some(({ action, after }) => action === 'delete' || (action === 'release' && !after));
  if (options.destroy || options.fewerInputs || !letsGo) return;
  const missing = findMissingInputs(ledger.inputs, desired).map((file) =>
    file === standardInput ? 'standard input' : file.replace(/^\//, ''),
  );
  if (missing.length > 0)
    report.error(
      'guard/inputs',
      `this run does not read ${missing.join(', ')}, which the last one did, so nothing is deleted or unmanaged`,
      {
        hint: 'pass all files with -f (`-f -` for standard input); if they are gone for good, use --fewer-inputs',
      },
    );
}

function conflicts(changes: Change[], { options = {}, desired }: PlanInput, report: Reporter): void {
  const found = changes.filter(({ fields }) => fields.some(({ cause }) => cause === 'conflict'));
  if (found.length === 0 || options.overwriteConflicts) return;
  for (const { address, fields, at: block } of found) {
    const inConflict = fields.filter(({ cause }) => cause === 'conflict').map(({ path }) => path);
    const paths = inConflict.map((path) => `\`${path}\``);
    // Where the first of them is written; a field that goes is written nowhere any more.
    const [at = block] = inConflict.flatMap((path) => desired.fieldAt?.(address, path) ?? []);
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

/** Warns of a version that an earlier run staged and did not promote, and says what happens to it. */
function leftStaged(drafts: PlacedDraft[], { live, kinds }: PlanInput, report: Reporter): void {
  const changed = new Set(drafts.map(({ collection: { kind, parent } }) => collectionId(kind.name, parent)));
  for (const [id, { id: version }] of live.staged) {
    const [parent, name] = collectionParts(id);
    const address = addressOf(parent, kinds.get(name)!.section, []);
    const what = `${address}: an earlier run staged a version (${version}) but did not promote it`;
    report.add(
      changed.has(id)
        ? warning('staged/left', `${what}; it will be discarded first`)
        : warning('staged/left', `${what}, and it is no longer needed`, {
            hint: 'discard it in the dashboard',
          }),
    );
  }
}

/** Refuses to create an object that shows a secret only once if the configuration does not say where the secret goes. */
function shownOnce(changes: Change[], input: PlanInput, report: Reporter): void {
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
    if (!shows || (action !== 'create' && action !== 'replace') || after?.meta.secretTo) continue;
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
