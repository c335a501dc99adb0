import type { RecordedExchange } from '../../kind/evidence.ts';
import type { Provider } from '../../kind/provider.ts';
import { tryParseJson } from '../../model/read-json.ts';
import { startPrivateTwin } from '../../run/private-twin.ts';
import type { SendToTwin, TwinAnswer } from '../recording/replay-recording.ts';

/** A twin on which a recording is replayed. */
interface RecordedTwin {
  send: SendToTwin;
  /** The ids of its objects, which are those of the recording. */
  ids: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * Starts a twin (a simulated platform) in this process, for `trueup doctor --calibrate`. It has the objects that the recording shows to exist before
 * its first request.
 */
export async function openRecordedTwin(
  provider: Provider,
  exchanges: readonly RecordedExchange[],
): Promise<RecordedTwin> {
  const seed = await provider.recordedSeed(exchanges);
  const { twin, token } = await startPrivateTwin(provider, { seed });
  return {
    ids: idsInSeed(seed),
    send: (method, path, body) => sendTo(`${twin.url}${path}`, token, method, body),
    close: () => twin.close(),
  };
}

/**
 * Returns the ids in a seed (the objects that a twin has at its start): the objects of these ids need no translation between the recording and the
 * twin.
 */
function idsInSeed(seed: unknown): Set<string> {
  const ids = new Set<string>();
  JSON.stringify(seed, (name, value) => {
    if (name === 'id' && typeof value === 'string') ids.add(value);
    return value;
  });
  return ids;
}

/** Sends a recorded request to the twin (the simulated platform) over HTTP, as a client of the platform would, and returns its answer. */
async function sendTo(url: string, token: string, method: string, body: unknown): Promise<TwinAnswer> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: hasBody ? JSON.stringify(body) : null,
  });
  return {
    status: answer.status,
    // Undefined for bytes, such as a file.
    body: tryParseJson(await answer.text()),
    isFormOnly: answer.status === 501 || answer.headers.get('x-twin-answer') === 'form-only',
  };
}
