import { systemAlarm } from '../../http/clock.ts';
import type { Connections } from '../../http/connections.ts';
import { openConnections } from '../../http/dispatcher.ts';
import { exchange, standardBounds } from '../../http/exchange.ts';
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
 * Starts a twin (a simulated platform) in this process, for `trueup doctor --calibrate`. It has the objects that the recording shows to
 * exist before its first request.
 */
export async function openRecordedTwin(
  provider: Provider,
  exchanges: readonly RecordedExchange[],
): Promise<RecordedTwin> {
  const seed = await provider.recordedSeed(exchanges);
  const { twin, token } = await startPrivateTwin(provider, { seed });
  // The twin is on this machine, so no proxy of the environment counts.
  const connections = openConnections(new URL(twin.url), standardBounds, {});
  return {
    ids: idsInSeed(seed),
    send: (method, path, body) => sendTo(connections, new URL(`${twin.url}${path}`), token, { method, body }),
    close: async () => {
      await connections.destroy();
      await twin.close();
    },
  };
}

/**
 * Returns the ids of the seed: the objects that the twin (a simulated platform) has at its start. They are the same in the recording, so
 * `trueup doctor --calibrate` need not translate them.
 */
function idsInSeed(seed: unknown): Set<string> {
  const ids = new Set<string>();
  JSON.stringify(seed, (name, value) => {
    if (name === 'id' && typeof value === 'string') ids.add(value);
    return value;
  });
  return ids;
}

/**
 * Sends a recorded request to the twin (a simulated platform) over HTTP, as a client of the platform would, and returns its answer, which
 * `trueup doctor --calibrate` compares with the recorded one. `isFormOnly`: true if the twin does not model the operation and only answers
 * in the right form.
 */
async function sendTo(
  connections: Connections,
  { origin, pathname, search }: URL,
  token: string,
  { method, body }: { method: string; body: unknown },
): Promise<TwinAnswer> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  const request = {
    origin,
    path: `${pathname}${search}`,
    method: method as 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: hasBody ? JSON.stringify(body) : null,
  };
  const { status, headers, text } = await exchange(connections, request, standardBounds, systemAlarm);
  return {
    status,
    // Undefined for bytes, such as a file.
    body: tryParseJson(text),
    isFormOnly: status === 501 || headers['x-twin-answer'] === 'form-only',
  };
}
