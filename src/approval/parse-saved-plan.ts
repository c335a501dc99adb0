import type * as z from 'zod';
import { canonical } from '../model/canonical.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { jsonIn } from '../model/json-in.ts';
import { isSignature, type LedgerKey, signature, signerOf } from '../model/ledger-key.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { type Fields, fieldsFromLeaves, type Value } from '../model/value.ts';
import { decode, type Encoded } from './encode.ts';
import {
  type SavedAction,
  type SavedChange,
  type SavedPlan,
  type SavedRequest,
  savedPlan,
} from './saved-plan.ts';

/** The first bytes of every saved plan, complete or truncated. */
export const isSavedPlan = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plan"/.test(text);

/** Text as a saved plan; throws `Problems` that say what it is in place of one. */
export function parseSavedPlan(text: string, place: string): SavedPlan {
  const refuse = (code: string, message: string, hint: string) =>
    new Problems([problem(code, `${place}: ${message}`, { hint })]);
  const again = 'create a new plan with `trueup plan --out FILE` and have it approved';
  const json = jsonIn(text);
  const { format, formatVersion, checksum } = (json ?? {}) as Partial<Record<keyof SavedPlan, unknown>>;
  if (json === undefined && isSavedPlan(text))
    throw refuse('approval/damaged', 'this plan is truncated or damaged: it is not valid JSON', again);
  if (format !== 'trueup plan')
    throw refuse(
      'approval/not-a-plan',
      'this is not a saved plan',
      'pass a file written by `trueup plan --out FILE`; name a configuration with --file',
    );
  if (formatVersion === 1)
    throw refuse('approval/older', 'this plan was saved by an older trueup with a different seal', again);
  if (typeof formatVersion === 'number' && formatVersion > 2)
    throw refuse(
      'approval/newer',
      `this plan was saved by a newer version of trueup (format ${formatVersion})`,
      'upgrade trueup',
    );
  const result = savedPlan.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw refuse(
      'approval/damaged',
      `this plan was damaged or edited: ${placeOf(issue)} is not in the form trueup writes`,
      again,
    );
  if (checksum !== checksumOf(json as SavedPlan))
    throw refuse('approval/damaged', 'this plan was damaged or edited: its checksum does not match', again);
  return result.data;
}

/** The member that a schema refuses; one that it does not know, too. */
function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  return [...(issue?.path ?? []), ...unknown].map(String).join('.') || 'the document';
}

/** The document with its seal, where there is a key to make one, and its checksum. */
export function signed(body: Omit<SavedPlan, 'seal' | 'checksum'>, key: LedgerKey | undefined): SavedPlan {
  const sealed = key ? { ...body, seal: signature(key, 'plan', sealedText(body)) } : body;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** The checksum of a document as it was read; the one that it names does not count. Anybody can make one: it only tells damage. */
export function checksumOf({ checksum: _, ...rest }: Partial<SavedPlan>): string {
  return digest('trueup plan', rest);
}

/** All of the document but the seal itself and the checksum, which is made of it. */
const sealedText = ({ seal: _, checksum: __, ...rest }: Partial<SavedPlan>): string => canonical(rest);

/**
 * The maker of a saved plan, as far as it is known. `none`: it has no seal, so anybody who can write a file. `unknown`: the key that it
 * names is not here. `broken`: it is not what that key sealed.
 */
export type Sealing = { state: 'sealed' | 'unknown' | 'broken'; key: string } | { state: 'none' };

export function sealing(saved: SavedPlan, key: LedgerKey | undefined): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isSignature(saved.seal, signer, 'plan', sealedText(saved));
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}

/** A saved plan as reports take it: good for showing, not for applying. They make the same of it as of the plan itself. */
export const shownPlan = ({ stack, account, complete, partial, ...saved }: SavedPlan): Plan => ({
  stack,
  ...(account ? { account } : {}),
  complete,
  ...(partial ? { partial } : {}),
  ...(saved.notCompared ? { notCompared: saved.notCompared } : {}),
  changes: saved.changes.map(changeOf),
  operations: saved.operations.map(
    ({ requests, ...operation }): Operation => ({ ...operation, requests: requests.map(requestOf) }),
  ),
  ...(saved.firstContact ? { firstContact: saved.firstContact } : {}),
  ...(saved.actions ? { actions: saved.actions.map(actionOf) } : {}),
  unmanaged: saved.unmanaged.map((one) => ({ ...one, id: '' })),
  ...(saved.unlisted ? { unlisted: saved.unlisted } : {}),
  ...(saved.waiting ? { waiting: saved.waiting } : {}),
  ...(saved.changedBy ? { changedBy: saved.changedBy } : {}),
  diagnostics: saved.diagnostics.map(diagnosticOf),
  ...(saved.guards ? { guards: saved.guards } : {}),
  ...(saved.sources ? { sources: saved.sources } : {}),
});

const diagnosticOf = ({ folded, ...diagnostic }: SavedPlan['diagnostics'][number]): Diagnostic => ({
  ...diagnostic,
  ...(folded
    ? {
        folded: folded.map(({ secret, ...instance }) => ({
          severity: diagnostic.severity,
          code: diagnostic.code,
          ...instance,
          ...(secret === undefined ? {} : { secret: { name: secret } }),
        })),
      }
    : {}),
});

const requestOf = ({ endpoint, params, body }: SavedRequest): Request => ({
  endpoint,
  ...(params ? { params: decode(params) as Record<string, Value> } : {}),
  ...(body === undefined ? {} : { body: decode(body) }),
});

const actionOf = ({ input, request, owed, ...one }: SavedAction): PlannedAction => ({
  ...one,
  input: decode(input) as Fields,
  ...(request ? { request: requestOf(request) } : {}),
  // Of the debt a file knows only the run.
  ...(owed === undefined
    ? {}
    : { owed: { action: one.action, input: {}, from: one.from, since: '', run: owed } }),
});

const changeOf = ({ deleted, beside, kept, fields, anew, renews, ...change }: SavedChange): Change => ({
  ...change,
  ...(anew ? { reinserted: true } : {}),
  ...(renews ? { changesLedgerOnly: true } : {}),
  fields: fields.map(
    ({ before, after, ...field }): FieldChange => ({
      ...field,
      ...(before === undefined ? {} : { before: decode(before) as Value }),
      ...(after === undefined ? {} : { after: decode(after) as Value }),
    }),
  ),
  ...(kept ? { declared: Object.keys(kept), after: wantedOf(change, kept) } : {}),
  ...(deleted || beside ? { before: objectOf(change, deleted ?? beside!) } : {}),
});

/** As much of what is wanted as is not among the fields that differ. */
const wantedOf = (
  { address, kind, at }: Pick<SavedChange, 'address' | 'kind' | 'at'>,
  kept: Record<string, Encoded>,
): Resource => ({
  address,
  kind,
  fields: fieldsFromLeaves(Object.entries(kept).map(([path, value]) => [path, decode(value) as Value])),
  meta: {},
  index: 0,
  at: at ?? { file: '', line: 0, column: 0 },
});

const objectOf = (
  { address, kind, id = '' }: Pick<Change, 'address' | 'kind' | 'id'>,
  fields: Record<string, Encoded>,
): LiveResource => ({
  address,
  kind,
  id,
  ids: [id],
  index: 0,
  fields: decode(fields) as Fields,
});
