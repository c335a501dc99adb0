import type { Kinds } from '../kind/kind.ts';
import { type Change, type FieldChange, unchangedFieldsOf, undeclaredFieldsOf } from '../model/change.ts';
import type { Diagnostic, Position } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { NotCompared } from '../model/not-compared.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isSecret, type Value } from '../model/value.ts';
import { definedOnly } from '../model/walk.ts';
import type { Session } from '../run/session.ts';
import { approvedPart, basisOf, placesOf } from './compare-approval.ts';
import { type Conceal, concealWith, type Encoded, encode, isUncompared } from './encode.ts';
import { signed } from './parse-saved-plan.ts';
import { type SavedPlan, type SavedRequest, type ShapingOptions, shapingOptions } from './saved-plan.ts';

export interface SaveOptions {
  baseUrl: string;
  owner: string;
  /** The generation of the ledger that it was made on. */
  generation: number;
  options: ShapingOptions;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Without it no secret is compared, and what would have to send one cannot be approved. */
  key?: LedgerKey | undefined;
  /** The salt of a file that this is to be compared with. */
  salt?: string;
}

/** A plan as its file holds it. Pure: the same plan makes the same bytes. */
export function savePlan(plan: Plan, options: SaveOptions): SavedPlan {
  const { key, secrets } = options;
  const salt = options.salt ?? digest('trueup plan', approvedPart(bodyOf(plan, options, '', () => null)));
  const body = bodyOf(plan, options, salt, concealWith(key, salt, secrets));
  return signed({ ...body, ...(key ? { key: key.id } : {}), salt }, key);
}

type Body = Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>;

function bodyOf(
  plan: Plan,
  { baseUrl, owner, generation, options, kinds }: SaveOptions,
  salt: string,
  conceal: Conceal,
): Body {
  const places = placesOf(plan.changes, kinds);
  return {
    format: 'trueup plan',
    formatVersion: 2,
    stack: plan.stack,
    baseUrl,
    owner,
    ...definedOnly({ account: plan.account }),
    generation,
    options,
    complete: plan.complete,
    ...(plan.notCompared ? { notCompared: plan.notCompared.map(notComparedOf) } : {}),
    ...(plan.partial ? { partial: true } : {}),
    changes: plan.changes.map((change) => changeOf(change, conceal)),
    operations: plan.operations.map((operation) => operationOf(operation, conceal)),
    ...definedOnly({ firstContact: plan.firstContact }),
    ...(plan.actions ? { actions: plan.actions.map((action) => actionOf(action, conceal)) } : {}),
    unmanaged: plan.unmanaged.map(({ kind, address }) => ({ kind, address })),
    ...definedOnly({ unlisted: plan.unlisted, waiting: plan.waiting, changedBy: plan.changedBy }),
    diagnostics: plan.diagnostics.map(diagnosticOf),
    ...definedOnly({ guards: plan.guards, sources: plan.sources }),
    basis: plan.changes.map((change) => basisOf(change, salt, conceal, places)),
  };
}

function changeOf(change: Change, conceal: Conceal): SavedPlan['changes'][number] {
  const { address, kind, action, grade, before, at } = change;
  const unchangedFields = unchangedFieldsOf(change);
  const fields = action === 'delete' ? {} : undeclaredFieldsOf(change);
  return {
    address,
    kind,
    action,
    ...definedOnly({ id: change.id, parent: change.parent, needs: change.needs }),
    ...definedOnly({ takenFrom: change.takenFrom, reason: change.reason }),
    ...(change.action === 'noop' ? definedOnly({ handover: change.handover }) : {}),
    ...(change.outside ? { outside: true } : {}),
    grade,
    ...definedOnly({ gradeReason: change.gradeReason, permissions: change.permissions }),
    ...(change.exclusive ? { exclusive: true } : {}),
    ...(change.moves ? { moves: true } : {}),
    ...definedOnly({ position: change.position }),
    ...(change.reinserted ? { anew: true } : {}),
    ...(change.changesLedgerOnly ? { renews: true } : {}),
    ...definedOnly({ undo: change.undo }),
    fields: change.fields.map((field) => fieldOf(field, `${address}#${field.path}`, conceal)),
    ...(unchangedFields.length > 0
      ? {
          kept: Object.fromEntries(
            unchangedFields.map(([path, value]) => [path, encode(value, `${address}#kept/${path}`, conceal)]),
          ),
        }
      : {}),
    ...(Object.keys(fields).length > 0
      ? { beside: encode(fields, `${address}#beside`, conceal) as Record<string, Encoded> }
      : {}),
    ...(action === 'delete' && before
      ? { deleted: encode(before.fields, `${address}#deleted`, conceal) as Record<string, Encoded> }
      : {}),
    ...(at ? { at: { file: at.file, line: at.line, column: at.column } } : {}),
  };
}

function fieldOf(
  field: FieldChange,
  place: string,
  conceal: Conceal,
): SavedPlan['changes'][number]['fields'][number] {
  const { path, cause, before, after, replaces } = field;
  const side = (value: Value | undefined, name: string) =>
    value === undefined
      ? {}
      : {
          [name]:
            field.secret && !isSecret(value) && !(isHole(value) && !isJoin(value))
              ? { $sealed: conceal(`${place}/${name}`, value) }
              : encode(value, `${place}/${name}`, conceal),
        };
  return {
    path,
    ...side(before, 'before'),
    ...side(after, 'after'),
    cause,
    ...(replaces ? { replaces: true } : {}),
    ...(field.secret ? { secret: true } : {}),
    ...(field.notKept ? { notKept: true } : {}),
  };
}

/** The requests of an operation. What they tell of ids, and what answers must say, follows from the kind and is not compared. */
const operationOf = (
  { id, kind, parent, changes, dependsOn, requests }: Operation,
  conceal: Conceal,
): SavedPlan['operations'][number] => ({
  id,
  kind,
  ...definedOnly({ parent }),
  changes,
  dependsOn,
  requests: requests.map((request, index) => requestOf(request, `${id}/${index}`, conceal)),
});

const requestOf = ({ endpoint, params, body }: Request, place: string, conceal: Conceal): SavedRequest => ({
  endpoint,
  ...(params ? { params: encode(params, `${place}/params`, conceal) as Record<string, Encoded> } : {}),
  ...(body === undefined ? {} : { body: encode(body, `${place}/body`, conceal) }),
});

/** An action that follows. */
const actionOf = (
  { id, input, request, owed, ...one }: PlannedAction,
  conceal: Conceal,
): NonNullable<SavedPlan['actions']>[number] => ({
  id,
  ...one,
  input: encode(input, `${id}/input`, conceal) as Record<string, Encoded>,
  ...(request ? { request: requestOf(request, `${id}/request`, conceal) } : {}),
  ...(owed ? { owed: owed.run ?? 'an earlier run' } : {}),
});

const diagnosticOf = ({ at, related, folded, ...rest }: Diagnostic): SavedPlan['diagnostics'][number] => ({
  severity: rest.severity,
  code: rest.code,
  message: rest.message,
  ...definedOnly({ hint: rest.hint, address: rest.address }),
  ...(at ? { at: placeOf(at) } : {}),
  ...(related ? { related: related.map((one) => ({ message: one.message, at: placeOf(one.at) })) } : {}),
  ...(folded ? { folded: folded.map(instanceOf) } : {}),
});

const notComparedOf = ({ items, ...group }: NotCompared) => ({
  ...group,
  items: items.map(({ at, ...item }) => ({
    ...item,
    ...(at ? { at: placeOf({ ...at, text: undefined }) } : {}),
  })),
});

const instanceOf = ({ message, address, secret, at }: Diagnostic) => ({
  message,
  ...definedOnly({ address, secret: secret?.name }),
  ...(at ? { at: placeOf({ ...at, text: undefined }) } : {}),
});

const placeOf = ({ file, line, column, text, caret }: Position) => ({
  file,
  line,
  column,
  ...definedOnly({ text, caret }),
});

export const shapingNames = Object.keys(shapingOptions.shape) as (keyof ShapingOptions)[];

/** The same as a command line has them: a flag may be given as off. */
type GivenShaping = {
  [Name in keyof ShapingOptions]: ShapingOptions[Name] extends boolean | undefined
    ? boolean | undefined
    : ShapingOptions[Name];
};

/** True if an option says something else than what holds without it: `actions` and `canary` are on, and every other flag is off. */
export const isGiven = (name: keyof ShapingOptions, value: unknown): boolean =>
  value !== undefined && value !== (name === 'actions' || name === 'canary');

/** The options that shape a plan, by the names of their flags; what is a list is in order. */
const shapeOf = (options: GivenShaping): ShapingOptions =>
  Object.fromEntries(
    shapingNames
      .map((name) => [name, options[name]] as const)
      .filter(([name, value]) => isGiven(name, value))
      .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value]),
  );

/** A plan of this session as its file has it. `like`: a file that it is to be compared with. */
export function saveSessionPlan(
  { ledger, owner, kinds, secrets, key }: Session,
  plan: Plan,
  options: GivenShaping,
  like?: SavedPlan,
): SavedPlan {
  const how = {
    baseUrl: ledger.baseUrl,
    owner: owner.id,
    generation: ledger.generation,
    options: shapeOf(options),
    kinds,
    secrets,
  };
  if (!like) return savePlan(plan, { ...how, key });
  return savePlan(plan, { ...how, key: like.key === undefined ? undefined : key, salt: like.salt });
}

/** Operations that would send a secret which was not compared: nobody can tell whether it is the approved one. */
export const uncompared = ({ operations }: SavedPlan): string[] =>
  operations
    .filter(({ requests }) =>
      requests.some(({ params = {}, body = null }) => isUncompared(params) || isUncompared(body)),
    )
    .flatMap(({ changes }) => changes);
