import type { Kinds } from '../kind/kind.ts';
import type { Documents } from '../ledger/documents.ts';
import { type Change, type FieldChange, unchangedFieldsOf, undeclaredFieldsOf } from '../model/change.ts';
import type { Diagnostic, Position } from '../model/diagnostic.ts';
import { canonicalParts, digestOfParts, type LedgerKey } from '../model/digest.ts';
import type { NotCompared } from '../model/not-compared.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isSecret, type Value } from '../model/value.ts';
import type { RunSession } from '../run/session.ts';
import { agreedPart, basisOf, precedingAddresses } from './compare-approval.ts';
import { createSecretDigester, type DigestSecret, type Encoded, encode, isUncompared } from './encode.ts';
import { signPlan } from './parse-saved-plan.ts';
import { type SavedPlan, type SavedRequest, type ShapingOptions, shapingOptions } from './saved-plan.ts';

/** What the file of a plan says beside the plan, and what its digests are made with. */
export interface SaveOptions {
  baseUrl: string;
  owner: string;
  /** The generation of the ledger that the plan was made on. */
  generation: number;
  /** The place of that ledger (see `placeToApprove`). */
  ledger?: string | undefined;
  options: ShapingOptions;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** The key for digests of secrets. Without it, secrets cannot be compared, and operations that send one cannot be approved. */
  key?: LedgerKey | undefined;
  /** The salt of the file that this plan is compared with. Default: made from the plan, so that equal plans have equal files. */
  salt?: string;
}

/**
 * Returns a plan in the form of its file, for `plan --out`, and again before an apply to compare the current plan with the file. Secrets
 * become digests that depend on a salt: to be comparable, a current plan takes the salt of the file. Without one, the salt is made from the
 * plan, so that equal plans give equal bytes.
 */
export function savePlan(plan: Plan, options: SaveOptions): SavedPlan {
  const { key, secrets } = options;
  const planWithoutSecrets = () => unsignedPlan(plan, options, '', () => null);
  const salt = options.salt ?? saltFor(planWithoutSecrets());
  const body = unsignedPlan(plan, options, salt, createSecretDigester(key, salt, secrets));
  return signPlan({ ...body, key: key?.id, salt }, key);
}

/** Returns the salt for the digests of a plan, made from the part that an approval covers. */
const saltFor = (plan: UnsignedPlan): string =>
  digestOfParts('trueup plan', canonicalParts(agreedPart(plan), 2));

/** A saved plan without the members that sign it. */
type UnsignedPlan = Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>;

/**
 * Returns the content of the file of `plan --out` before it is sealed (signed). `digestSecret` replaces secrets by digests, which depend on
 * `salt`. `savePlan` calls it twice to make a salt from the content: first without salt and digests, then with both.
 */
function unsignedPlan(
  plan: Plan,
  { baseUrl, owner, generation, ledger, options, kinds }: SaveOptions,
  salt: string,
  digestSecret: DigestSecret,
): UnsignedPlan {
  const precedingAddressOf = precedingAddresses(plan.changes, kinds);
  return {
    format: 'trueup plan',
    formatVersion: 3,
    stack: plan.stack,
    baseUrl,
    owner,
    account: plan.account,
    generation,
    ledger,
    options,
    complete: plan.complete,
    notCompared: plan.notCompared?.map(saveNotCompared),
    partial: plan.isNarrowed,
    changes: plan.changes.map((change) => saveChange(change, digestSecret)),
    operations: plan.operations.map((operation) => saveOperation(operation, digestSecret)),
    firstContact: plan.firstContact,
    actions: plan.actions?.map((action) => saveAction(action, digestSecret)),
    unmanaged: plan.unmanaged.map(({ kind, address, isOfOtherStack }) => ({ kind, address, isOfOtherStack })),
    unlisted: plan.partialKinds,
    waiting: plan.waiting,
    changedBy: plan.changedBy,
    diagnostics: plan.diagnostics.map(saveDiagnostic),
    lists: plan.lists,
    fixedFindings: plan.fixedFindings?.map(saveDiagnostic),
    suppressedFindings: plan.suppressedFindings?.map(saveDiagnostic),
    guards: plan.guards,
    sources: plan.sources,
    basis: plan.changes.map((change) => basisOf(change, salt, digestSecret, precedingAddressOf)),
  };
}

/**
 * Converts a change for the file of `plan --out`, with secrets as digests (`digestSecret`): only the members that reports show or `apply`
 * compares; `agreedPart` decides which it compares. `undeclaredFields` are among them because policies judge the whole object.
 */
function saveChange(change: Change, digestSecret: DigestSecret): SavedPlan['changes'][number] {
  const { address, kind, action, grade, before, at } = change;
  const encodeFields = (member: string, fields: Record<string, unknown>) =>
    encode(fields, `${address}#${member}`, digestSecret) as Record<string, Encoded>;
  const undeclaredFields = action === 'delete' ? {} : undeclaredFieldsOf(change);
  return {
    address,
    kind,
    action,
    id: change.id,
    parent: change.parent,
    needs: change.needs,
    takenFrom: change.takenFrom,
    reason: change.reason,
    handover: action === 'noop' ? change.handover : undefined,
    outside: change.outside,
    grade,
    gradeReason: change.gradeReason,
    permissions: change.permissions,
    exclusive: change.exclusive,
    deletes: change.deletes && {
      objects: change.deletes.objects,
      byKind: { ...change.deletes.byKind },
      unread: [...change.deletes.unread],
    },
    moves: change.moves ? true : undefined,
    position: change.position,
    reinserted: change.reinserted,
    changesLedgerOnly: change.changesLedgerOnly,
    undo: change.undo,
    fields: change.fields.map((field) => saveField(field, `${address}#${field.path}`, digestSecret)),
    unchangedFields: saveUnchangedFields(change, digestSecret),
    undeclaredFields:
      Object.keys(undeclaredFields).length > 0
        ? encodeFields('undeclaredFields', undeclaredFields)
        : undefined,
    deletedFields: action === 'delete' && before ? encodeFields('deletedFields', before.fields) : undefined,
    at: at && { file: at.file, line: at.line, column: at.column },
  };
}

/**
 * Converts the declared fields that stay as they are for a plan file, by their paths; undefined if there are none. Secrets become digests,
 * which depend on the location of the field in the plan.
 */
function saveUnchangedFields(
  change: Change,
  digestSecret: DigestSecret,
): Record<string, Encoded> | undefined {
  const fields = unchangedFieldsOf(change);
  if (fields.length === 0) return undefined;
  const encoded = fields.map(([path, value]): [string, Encoded] => [
    path,
    encode(value, `${change.address}#unchangedFields/${path}`, digestSecret),
  ]);
  return Object.fromEntries(encoded);
}

/**
 * Converts a changed field for the plan file. The value of a secret field becomes a digest, so that the file never shows it, but `apply`
 * can tell whether it is still the same. A reference is not secret itself and stays readable. `location`: identifies the field within the
 * plan, because the digest depends on it.
 */
function saveField(
  field: FieldChange,
  location: string,
  digestSecret: DigestSecret,
): SavedPlan['changes'][number]['fields'][number] {
  const { path, cause, before, after, replaces, secret, notKept } = field;
  const encodeSide = (value: Value | undefined, sideLocation: string): Encoded | undefined => {
    if (value === undefined) return undefined;
    // `encode` digests a value that is sealed or has `${secret.NAME}`, but not a text that is secret only because of its field.
    const isReference = isHole(value) && !isJoin(value);
    const isSecretByField = secret && !isSecret(value) && !isReference;
    return isSecretByField
      ? { $sealed: digestSecret(sideLocation, value) }
      : encode(value, sideLocation, digestSecret);
  };
  return {
    path,
    before: encodeSide(before, `${location}/before`),
    after: encodeSide(after, `${location}/after`),
    cause,
    replaces: replaces ? true : undefined,
    secret: secret ? true : undefined,
    notKept,
  };
}

/**
 * Converts an operation (requests that are sent together) for the file of `plan --out`, because people approve its requests. What a request
 * expects of its answer follows from the kind, so it is not saved.
 */
const saveOperation = (
  { id, kind, parent, changes, dependsOn, requests }: Operation,
  digestSecret: DigestSecret,
): SavedPlan['operations'][number] => ({
  id,
  kind,
  parent,
  changes,
  dependsOn,
  requests: requests.map((request, index) => saveRequest(request, `${id}/${index}`, digestSecret)),
});

/**
 * Converts a request for the file of `plan --out`, because people approve the requests. Secrets become digests that depend on `location`,
 * the request's place in the plan.
 */
const saveRequest = (
  { endpoint, params, body }: Request,
  location: string,
  digestSecret: DigestSecret,
): SavedRequest => ({
  endpoint,
  params: params && (encode(params, `${location}/params`, digestSecret) as Record<string, Encoded>),
  body: body === undefined ? undefined : encode(body, `${location}/body`, digestSecret),
});

/**
 * Converts an action that follows the changes (`$then`) for the file of `plan --out`, with secrets as digests. If an earlier run owes the
 * action (has left it undone), only the name of that run is saved, because reports show no more.
 */
const saveAction = (
  { id, input, request, owed, ...otherMembers }: PlannedAction,
  digestSecret: DigestSecret,
): NonNullable<SavedPlan['actions']>[number] => ({
  id,
  ...otherMembers,
  input: encode(input, `${id}/input`, digestSecret) as Record<string, Encoded>,
  request: request && saveRequest(request, `${id}/request`, digestSecret),
  owed: owed && (owed.run ?? 'an earlier run'),
});

/**
 * Converts a problem of a plan for the file of `plan --out`, so that reports of the file show it. If it stands for equal problems of
 * several objects, these are saved in `folded`. Only members that the format of the file has are saved.
 */
const saveDiagnostic = ({
  at,
  related,
  folded,
  ...diagnostic
}: Diagnostic): SavedPlan['diagnostics'][number] => ({
  severity: diagnostic.severity,
  code: diagnostic.code,
  message: diagnostic.message,
  hint: diagnostic.hint,
  address: diagnostic.address,
  at: at && savePosition(at),
  related: related?.map(({ message, at: position }) => ({ message, at: savePosition(position) })),
  finding: diagnostic.finding && { ...diagnostic.finding, causes: [...diagnostic.finding.causes] },
  folded: folded?.map(saveInstance),
});

/**
 * Converts a group of values that were not compared with the account, for the plan file. Their positions are saved
 * without the text of the line.
 */
const saveNotCompared = ({ items, ...group }: NotCompared) => ({
  ...group,
  items: items.map(({ at, ...item }) => ({ ...item, at: at && savePosition({ ...at, text: undefined }) })),
});

/**
 * Converts one instance of a folded problem (equal problems of several objects, shown as one) for the file of `plan --out`. Severity and
 * code are those of the folded problem.
 */
const saveInstance = ({ message, address, secret, at }: Diagnostic) => ({
  message,
  address,
  secret: secret?.name,
  at: at && savePosition({ ...at, text: undefined }),
});

/**
 * Converts a position in the configuration for the file of `plan --out`. Only the members that the format of the file has are saved,
 * because a file with others would be refused.
 */
const savePosition = ({ file, line, column, text, caret }: Position) => ({
  file,
  line,
  column,
  text,
  caret,
});

/** The names of the options that shape a plan. */
export const shapingNames = Object.keys(shapingOptions.shape) as (keyof ShapingOptions)[];

/** The options that shape a plan as a command line has them, on which flags can be off. */
export type CommandLineShaping = {
  [Name in keyof ShapingOptions]: ShapingOptions[Name] extends boolean | undefined
    ? boolean | undefined
    : ShapingOptions[Name];
};

/**
 * True if an option differs from its default, so that the plan file must have it. `actions` and `canary` are on by
 * default, every other flag is off.
 */
export const isGiven = (name: keyof ShapingOptions, value: unknown): boolean =>
  value !== undefined && value !== (name === 'actions' || name === 'canary');

/**
 * Returns the options that shape a plan, such as `--target`, without those at their default, and with each list sorted and without
 * repetitions. They are saved with the plan: equal options must give equal bytes, so that an approved plan can be compared with the current
 * one.
 */
const normalizeShaping = (options: CommandLineShaping): ShapingOptions =>
  Object.fromEntries(
    shapingNames
      .map((name) => [name, options[name]] as const)
      .filter(([name, value]) => isGiven(name, value))
      .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value]),
  );

/**
 * Returns the place of a ledger that an approval covers, so that no change of `ledger:` in the YAML leads an approved plan to another
 * ledger. The path of a file is left out, since it depends on the folder in which a command is started: the ledger's generation shows
 * another file.
 */
export const placeToApprove = ({ place, leasePath }: Pick<Documents, 'place' | 'leasePath'>): string =>
  leasePath === undefined ? place : 'file';

/**
 * Converts a plan of this session to the form of its file. Used to save it, or to compare it with a saved plan (`savedPlan`). A comparison
 * takes the salt of that plan, and the key only if that plan was saved with one, so that equal values have equal digests.
 */
export function saveSessionPlan(
  { ledger, documents, owner, kinds, secrets, key }: RunSession,
  plan: Plan,
  options: CommandLineShaping,
  savedPlan?: SavedPlan,
): SavedPlan {
  const saveOptions = {
    baseUrl: ledger.baseUrl,
    owner: owner.id,
    generation: ledger.generation,
    ledger: placeToApprove(documents),
    options: normalizeShaping(options),
    kinds,
    secrets,
  };
  if (!savedPlan) return savePlan(plan, { ...saveOptions, key });
  const { key: savedKey, salt } = savedPlan;
  return savePlan(plan, { ...saveOptions, key: savedKey === undefined ? undefined : key, salt });
}

/**
 * Returns the addresses whose requests send a secret that was not compared when the plan was saved. Such a plan
 * cannot be applied, because the secret may be another one by now.
 */
export const uncomparedAddresses = ({ operations }: SavedPlan): string[] =>
  operations
    .filter(({ requests }) =>
      requests.some(({ params = {}, body = null }) => isUncompared(params) || isUncompared(body)),
    )
    .flatMap(({ changes }) => changes);
