import { isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { asksForWrite } from './diff.ts';
import type { PlanInput, Report } from './input.ts';
import type { Lowered } from './lower.ts';

const most = 10;
const share = 0.3;
const shareFrom = 10;

/** Refuses what is suspicious: too much at once, what is protected, what stands on an incomplete configuration. */
export function guard(changes: Change[], drafts: Lowered[], input: PlanInput, report: Report): void {
  emptySet(input, report);
  budget(changes, input, report);
  protection(changes, input, report);
  inputs(changes, input, report);
  conflicts(changes, input, report);
  for (const draft of drafts) if (draft.problem) report(draft.problem);
  const blockedSeen = new Set<string>();
  for (const { kind, parent } of drafts) {
    const id = collectionId(kind.name, parent);
    const blocked = input.live.blocked.get(id);
    const shared = `${blocked?.code} ${kind.lane ?? id}`;
    if (!blocked || blockedSeen.has(shared) || input.options?.ignoreBlocked?.includes(blocked.code)) continue;
    blockedSeen.add(shared);
    report(problem(blocked.code, `${parent ?? kind.section}: ${blocked.message}`, { hint: blocked.hint }));
  }
  siblings(changes, input, report);
}

function emptySet({ desired, ledger, options }: PlanInput, report: Report): void {
  const owned = Object.keys(ledger.entries).length;
  if (options?.destroy || desired.resources.size > 0 || owned === 0) return;
  report(
    problem('guard/empty', `the configuration declares nothing, and the ledger has ${owned} objects`, {
      hint: 'check the files; to end the stack run `trueup destroy`',
    }),
  );
}

/** What goes: what is deleted, and what was deleted outside (it counts alike). A container counts with what is in it. */
function budget(changes: Change[], { kinds, ledger, options = {} }: PlanInput, report: Report): void {
  if (options.destroy) return;
  const gone = changes.filter(
    ({ action, reason }) => action === 'delete' || action === 'replace' || reason === 'deleted outside',
  );
  const containers = gone.filter(({ kind, action }) => kinds.get(kind)!.container && action === 'delete');
  const below = Object.keys(ledger.entries).filter(
    (address) =>
      containers.some((container) => container.address !== address && isWithin(address, container.address)) &&
      !gone.some((change) => change.address === address),
  );
  const recreated = changes.filter(
    ({ reason, kind }) => reason === 'deleted outside' && kinds.get(kind)!.container,
  );
  // A container that is created again brings its content back with it: it counts once.
  const counted = gone.filter(
    ({ address, reason }) =>
      reason !== 'deleted outside' ||
      !recreated.some((c) => c.address !== address && isWithin(address, c.address)),
  );
  const total = counted.length + below.length;
  const limit = options.maxDeletions ?? most;
  if (total > limit)
    report(
      problem(
        'guard/deletions',
        `${total} objects would be deleted, replaced or created again; more than ${limit} is refused`,
        { hint: `if that is right, run with --max-deletions ${total}` },
      ),
    );
  if (options.maxDeletions !== undefined) return;
  for (const [kind, of] of groupBy(counted, (change) => change.kind)) {
    const owned = Object.values(ledger.entries).filter(
      (entry) => entry.kind === kind && !entry.existing,
    ).length;
    if (owned >= shareFrom && of.length > owned * share)
      report(
        problem(
          'guard/share',
          `${of.length} of ${owned} ${kind} objects would be deleted, replaced or created again; more than 30 % of a kind is refused`,
          { hint: `if that is right, run with --max-deletions ${total}` },
        ),
      );
  }
}

function protection(changes: Change[], { desired, ledger }: PlanInput, report: Report): void {
  for (const { address, action } of changes) {
    if (action !== 'delete' && action !== 'replace') continue;
    const isProtected = (at: string) =>
      ledger.entries[at]?.protect || desired.resources.get(at)?.meta.protect;
    const held = isProtected(address)
      ? address
      : Object.keys(ledger.entries).find((other) => isWithin(other, address) && isProtected(other));
    if (held === undefined) continue;
    report(
      problem(
        'guard/protected',
        `${address} would be deleted, but ${held === address ? 'it' : held} is protected`,
        { address, hint: 'apply once without `$protect`, then delete' },
      ),
    );
  }
}

function inputs(changes: Change[], { desired, ledger, options = {} }: PlanInput, report: Report): void {
  if (options.destroy || options.fewerInputs || !changes.some(({ action }) => action === 'delete')) return;
  const inFolder = (file: string) =>
    desired.folders.some((folder) => folder === '.' || file.startsWith(`${folder}/`));
  const missing = ledger.inputs.filter((file) => !desired.inputs.includes(file) && !inFolder(file));
  if (missing.length > 0)
    report(
      problem(
        'guard/inputs',
        `this run does not read ${missing.join(', ')}, which the last one did; so nothing is deleted`,
        { hint: 'name all files with -f; if they are gone for good, run with --fewer-inputs' },
      ),
    );
}

function conflicts(changes: Change[], { options = {} }: PlanInput, report: Report): void {
  const found = changes.filter(({ fields }) => fields.some(({ cause }) => cause === 'conflict'));
  if (found.length === 0 || options.overwriteConflicts) return;
  for (const { address, fields, at } of found) {
    const paths = fields.filter(({ cause }) => cause === 'conflict').map(({ path }) => `\`${path}\``);
    const details = {
      address,
      ...(at ? { at } : {}),
      hint: 'take over the live value in the YAML, or overwrite it with --overwrite-conflicts',
    };
    const message = `${address}: ${paths.join(', ')} changed here and in the account`;
    report(
      options.unattended
        ? problem('guard/conflict', message, details)
        : warning('guard/conflict', message, details),
    );
  }
}

/** Siblings, as they will be, that the platform does not allow beside each other. */
function siblings(changes: Change[], { kinds, live }: PlanInput, report: Report): void {
  const collections = groupBy(
    changes.filter(({ kind }) => kinds.get(kind)!.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  for (const of of collections.values()) {
    const { kind, parent } = of[0]!;
    const byAddress = new Map(of.map((change) => [change.address, change]));
    const strangers = [...live.resources.values()].filter(
      (r) => r.kind === kind && r.parent === parent && !byAddress.has(r.address),
    );
    const staying = of
      .filter(({ action }) => action !== 'delete')
      .map(({ address, after, before }) => ({ address, fields: (after ?? before)!.fields }));
    for (const { addresses, message, hint } of kinds.get(kind)!.clashes!([...staying, ...strangers])) {
      const change = addresses
        .map((address) => byAddress.get(address))
        .find((c) => c && (c.action === 'create' || c.fields.some(asksForWrite)));
      if (change)
        report(
          problem('plan/clash', message, {
            address: change.address,
            ...(change.at ? { at: change.at } : {}),
            hint,
          }),
        );
    }
  }
}
