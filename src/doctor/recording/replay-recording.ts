/*
 * Sends the requests of a recording to a twin, one after the other, and judges each pair of answers. The recording itself prepares the
 * twin: its seed has the objects that the recording shows to exist before it, and creations of the recording are sent like any other
 * request.
 */
import type { RecordedExchange } from '../../kind/evidence.ts';
import { compareForms, type FormDifference } from './answer-form.ts';
import { decodeStep } from './find-recorded-operation.ts';
import { RecordedIds } from './recorded-ids.ts';

/**
 * Why a recorded exchange says nothing about the rules of the twin:
 *
 *   other host       the request went to another server than the platform
 *   no operation     the catalog has no operation for the request
 *   not recorded     the recording lacks the answer or the body of the request
 *   rate limit       the platform refused the request by a rate limit
 *   failure          the platform failed
 *   token            the platform refused the token
 *   missing object   the request names an object that the twin does not have, because the recording does not show its creation
 *   not modelled     the twin knows only the published form of the operation
 */
export type NotComparable =
  | 'other host'
  | 'no operation'
  | 'not recorded'
  | 'rate limit'
  | 'failure'
  | 'token'
  | 'missing object'
  | 'not modelled';

/**
 * Whether the twin answered as the platform did: by the same status, and for an error by the same code. `same` can have differences of
 * form.
 */
export type Judgement =
  | { result: 'notComparable'; reason: NotComparable }
  | { result: 'same'; form: FormDifference[] }
  | { result: 'status'; platform: number; twin: number }
  | { result: 'code'; status: number; platform: string; twin: string };

/** An answer of the twin. */
export interface TwinAnswer {
  status: number;
  body: unknown;
  /** True if the twin knows only the published form of the operation, and carries nothing out. */
  isFormOnly: boolean;
}

/** Sends one request to the twin. `path` is encoded, and has the query. */
export type SendToTwin = (method: string, path: string, body: unknown) => Promise<TwinAnswer>;

/** A recorded exchange that can be replayed on the twin. */
export type ComparableExchange = RecordedExchange & {
  /** The path as it was sent, with the version. */
  path: string;
  sent: unknown;
};

/**
 * Returns why `trueup doctor --calibrate` cannot compare a recorded answer with this status: it shows nothing about the rules of the
 * platform. Undefined if it can.
 */
function reasonOfStatus(status: number): NotComparable | undefined {
  if (status === 429) return 'rate limit';
  if (status >= 500) return 'failure';
  if (status === 401) return 'token';
  const isRedirect = status >= 300 && status < 400;
  const isIntermediate = status < 200;
  return isIntermediate || isRedirect ? 'not recorded' : undefined;
}

/**
 * Sends the requests of a recording of the platform (`exchanges`: requests with their answers) to a twin, the copy of the platform on this
 * machine, one after the other. Returns for each, in their order, whether the twin answered as the platform did, so that `doctor` can say
 * where the twin is wrong. `shownNames`: the names of members that may be shown, by operation. `sharedIds`: ids of the recording that the
 * twin's objects have, too.
 */
export async function replayRecording(
  exchanges: readonly ComparableExchange[],
  send: SendToTwin,
  shownNames: ReadonlyMap<string, ReadonlySet<string>>,
  sharedIds: ReadonlySet<string> = new Set(),
): Promise<Judgement[]> {
  const ids = new RecordedIds(sharedIds);
  const judgements: Judgement[] = [];
  for (const exchange of exchanges) judgements.push(await replay(exchange, { ids, send, shownNames }));
  return judgements;
}

/** What all exchanges of a recording share. */
interface ReplayContext {
  ids: RecordedIds;
  send: SendToTwin;
  shownNames: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Sends one recorded request to the twin (a simulated platform), and compares the two answers, for `trueup doctor --calibrate`. Learns from
 * them which id of the recording is which of the twin.
 */
async function replay(
  exchange: ComparableExchange,
  { ids, send, shownNames }: ReplayContext,
): Promise<Judgement> {
  const { operation, status, body, params, query, sent } = exchange;
  const reason = reasonOfStatus(status);
  if (reason) return { result: 'notComparable', reason };
  const isSuccess = status < 300;
  if (ids.namesUnmatched([Object.values(params), Object.values(query), sent])) {
    // The twin lacks the objects of this answer, too.
    if (isSuccess) ids.learn(body, undefined);
    return { result: 'notComparable', reason: 'missing object' };
  }
  const method = operation.split(' ')[0]!;
  const answer = await send(method, translatePath(exchange, ids), ids.translateValue(sent));
  if (isSuccess) ids.learn(body, answer.status < 300 ? answer.body : undefined);
  return judge(exchange, answer, shownNames.get(operation)!);
}

/**
 * Returns the path and the query of a recorded request with the ids that the same objects have in the twin (a simulated platform), so that
 * it can be sent to the twin.
 */
function translatePath({ path, query }: ComparableExchange, ids: RecordedIds): string {
  const steps = path.split('/').map((step) => {
    const translated = ids.translate(decodeStep(step));
    return translated === decodeStep(step) ? step : encodeURIComponent(translated);
  });
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, ids.translate(value)]);
  return pairs.length === 0 ? steps.join('/') : `${steps.join('/')}?${new URLSearchParams(pairs)}`;
}

/**
 * Compares the answer of the platform to a recorded request with that of the twin (a simulated platform): status, error code, or the form
 * of the content. Says why if they cannot be compared. `trueup doctor --calibrate` reports the differences.
 */
function judge(
  { status, body }: RecordedExchange,
  twin: TwinAnswer,
  shownNames: ReadonlySet<string>,
): Judgement {
  if (twin.isFormOnly) return { result: 'notComparable', reason: 'not modelled' };
  if (twin.status !== status) {
    // The twin has only the objects that the recording shows.
    if (twin.status === 404) return { result: 'notComparable', reason: 'missing object' };
    // The platform refused what the token may not do. The twin lets any token do everything.
    if (status === 403) return { result: 'notComparable', reason: 'token' };
    return { result: 'status', platform: status, twin: twin.status };
  }
  if (status < 400) return { result: 'same', form: compareForms(body, twin.body, shownNames) };
  const [platformCode, twinCode] = [errorCodeIn(body), errorCodeIn(twin.body)];
  if (platformCode === twinCode) return { result: 'same', form: [] };
  return { result: 'code', status, platform: platformCode, twin: twinCode };
}

/**
 * Returns the code of an error: `error.code`, or `code` where the error is flat. Only a word of letters and underscores is one, so that no
 * other text of an answer is ever shown.
 */
function errorCodeIn(body: unknown): string {
  const { error, code: flatCode } = (body ?? {}) as { error?: { code?: unknown } | null; code?: unknown };
  const code = flatCode === undefined ? error?.code : flatCode;
  if (code === undefined) return 'none';
  const isWord = typeof code === 'string' && /^[A-Za-z]+(_[A-Za-z]+)*$/.test(code) && code.length <= 48;
  return isWord ? code : 'another form';
}
