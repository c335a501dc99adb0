import type { Kinds } from '../../kind/kind.ts';
import type { Meaning } from '../../kind/meaning.ts';
import type { AccountFacts } from '../../kind/read.ts';
import type { LedgerKey } from '../../model/digest.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Operation } from '../../model/plan.ts';
import type { Endpoint, Send } from '../../model/request.ts';
import type { Desired, Live } from '../../model/resource.ts';
import { observe } from '../../observe/observe.ts';

/** The account at one moment of an apply. */
export interface AccountState {
  /** The part of the account that decides what happens to requests of visitors, as `observe` has read it. */
  live: Live;
  /** The request that led to it: `PATCH /v1/security/firewall/config`. Undefined for the state before the apply. */
  request: Endpoint | undefined;
}

/** What is needed to read the account again after a request. */
export interface WayReader {
  desired: Desired;
  ledger: Ledger;
  kinds: Kinds;
  facts: AccountFacts;
  key: LedgerKey | undefined;
  /** Sends the reads. They must not count as requests of the apply. */
  send: Send;
}

/** The recording of an apply. */
export interface WayRecording {
  /** Sends the requests of the apply, and reads the account after those that can change what visitors meet. */
  send: Send;
  /** The states so far: that before the apply first, then those after its requests in order. */
  states: readonly AccountState[];
}

/**
 * Starts to record what visitors meet while a plan is applied to a twin: `judgeTransitions` compares the recorded states. The apply must send its requests
 * with `send` of the result. Only requests that the plan makes for kinds of `meaning.wayKinds` are followed by a read, and only objects of these kinds are
 * read. Sends nothing, and records no state, if the plan has no such request. Throws if the account cannot be read.
 */
export async function recordWay(
  operations: readonly Operation[],
  { wayKinds }: Pick<Meaning, 'wayKinds'>,
  reader: WayReader,
  send: Send,
): Promise<WayRecording> {
  const kinds = new Set(wayKinds);
  const endpoints = new Set(
    operations
      .filter(({ kind }) => kinds.has(kind))
      .flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint))
      .filter((endpoint) => !endpoint.startsWith('GET ')),
  );
  if (endpoints.size === 0) return { send, states: [] };
  const read = () => readWayKinds(kinds, reader);
  const states: AccountState[] = [{ live: await read(), request: undefined }];
  return {
    states,
    send: async (request, ...others) => {
      const answer = await send(request, ...others);
      if (endpoints.has(request.endpoint)) states.push({ live: await read(), request: request.endpoint });
      return answer;
    },
  };
}

/** Reads the objects of some kinds that the configuration or the ledger mentions. */
function readWayKinds(
  kinds: ReadonlySet<string>,
  { desired, ledger, kinds: allKinds, facts, key, send }: WayReader,
): Promise<Live> {
  const resources = new Map([...desired.resources].filter(([, { kind }]) => kinds.has(kind)));
  const entries = Object.fromEntries(
    Object.entries(ledger.entries).filter(([, { kind }]) => kinds.has(kind)),
  );
  return observe({ ...desired, resources }, { ...ledger, entries }, allKinds, send, { facts, key });
}
