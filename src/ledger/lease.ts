import { Problems, problem } from '../model/diagnostic.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import {
  type Holder,
  heldBy,
  holderText,
  isPlausible,
  type LeaseRecord,
  leaseText,
  parseLease,
  term,
} from './lease-record.ts';

/** The time, and waiting that can be called off (it rejects then); tests bring their own. */
export interface LeaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment; nobody can set it, and it may stand while the machine sleeps. */
  monotonic(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

interface LeaseOptions {
  holder: Holder;
  clock: LeaseClock;
  /** Milliseconds to wait for another holder; none by default. */
  wait?: number;
  /** Told once, before it waits, whom for and how long. */
  onWait?(text: string): void;
}

/** The right to write a ledger and what it stands for, for one run. Renewed until it is released. */
export interface Lease {
  /** Aborted once somebody else has it; the reason is the `Problems` that say who. */
  readonly lost: AbortSignal;
  /** To be called before each write: rejects with `Problems` if the lease is lost or given back, or ran out and cannot be renewed. */
  confirm(): Promise<void>;
  /** Gives it back, if it is not lost. */
  release(): Promise<void>;
}

const heartbeat = 10_000;
const poll = 2000;
/** How long it goes without saying that a lease that was seen is still there. */
const trust = 2000;

/**
 * Takes the lease. One that is there is judged by our own clock alone: it is over once it has not changed for a term of watching,
 * whatever its dates say; where they cannot be right, it is watched for a term before it is said to be held. Throws `Problems` that say
 * who has it.
 */
export async function acquireLease(documents: Documents, options: LeaseOptions): Promise<Lease> {
  const { holder, clock, wait = 0, onWait } = options;
  const start = clock.monotonic();
  let watched: { version: string; since: number } | undefined;
  let isAlive = false;
  for (let told = false; ; ) {
    const found = await documents.read('lease');
    const other = found && parseLease(found.text);
    const tick = clock.monotonic();
    if (found && watched?.version !== found.version) {
      isAlive ||= watched !== undefined;
      watched = { version: found.version, since: tick };
    }
    const isOver = other !== undefined && tick - watched!.since >= term;
    if (!found || isOver) {
      const since = new Date(clock.now()).toISOString();
      const record = renewed({ formatVersion: 1, ...holder, since, expires: since }, clock.now());
      try {
        const version = await documents.write('lease', leaseText(record), { expected: found?.version });
        return hold(documents, clock, record, version);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        // Somebody was faster: see who.
        continue;
      }
    }
    const now = clock.now();
    const held = heldBy(documents.place, other, now);
    const isDoubtful = other !== undefined && !isPlausible(other, now) && !isAlive;
    const left = Math.max(start + wait - tick, isDoubtful ? watched!.since + term - tick : 0);
    if (left <= 0) throw new Problems([held]);
    if (!told)
      onWait?.(
        `Waiting up to ${Math.ceil(left / 1000)} s: ${held.message}${isDoubtful ? '; the lease counts as expired if it does not change in that time' : ''}.`,
      );
    told = true;
    await clock.sleep(Math.min(poll, left));
  }
}

const renewed = (record: LeaseRecord, now: number): LeaseRecord => ({
  ...record,
  renewals: (record.renewals ?? -1) + 1,
  expires: new Date(now + term).toISOString(),
});

function hold(documents: Documents, clock: LeaseClock, first: LeaseRecord, firstVersion: string): Lease {
  let [record, version] = [first, firstVersion];
  // While the machine sleeps one of the clocks may stand, and somebody may set the other: the longer time counts.
  const moment = () => ({ now: clock.now(), tick: clock.monotonic() });
  const since = (then: ReturnType<typeof moment>) =>
    Math.max(clock.now() - then.now, clock.monotonic() - then.tick);
  let seenAt = moment();
  let renewedAt = moment();
  const lost = new AbortController();
  const ended = new AbortController();

  const renewOnce = async () => {
    const next = renewed(record, clock.now());
    const begun = moment();
    try {
      version = await documents.write('lease', leaseText(next), { expected: version });
      record = next;
      seenAt = moment();
      renewedAt = begun;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const { found } = error;
      // A renewal that arrived, though nothing said so.
      if (found && parseLease(found.text)?.run === record.run) version = found.version;
      else lost.abort(new Problems([lostTo(documents.place, found, clock.now())]));
    }
  };
  let renewing: Promise<void> | undefined;
  const renew = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  const lookOnce = async () => {
    seenAt = moment();
    const found = await documents.read('lease');
    const isOurs = found && parseLease(found.text)?.run === record.run;
    if (!isOurs && !ended.signal.aborted)
      lost.abort(new Problems([lostTo(documents.place, found, clock.now())]));
  };
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  const beat = async () => {
    while (!lost.signal.aborted && !ended.signal.aborted) {
      await clock.sleep(heartbeat, ended.signal);
      // A failure is not the end: it is tried again, and `confirm` says so once the lease has run out.
      await renew().catch(() => {});
    }
  };
  const beating = beat().catch(() => {});

  return {
    lost: lost.signal,
    confirm: async () => {
      if (ended.signal.aborted)
        throw new Problems([problem('lease/released', 'the run was stopped; nothing more is written')]);
      // Somebody may have said that this run is gone. Where the place does not answer, it is ours until it expires.
      const isOld = looking || since(seenAt) >= trust;
      if (!lost.signal.aborted && isOld) await look().catch(() => {});
      // The machine may have slept, or its network been away.
      if (!lost.signal.aborted && since(renewedAt) >= term) await renew();
      lost.signal.throwIfAborted();
    },
    release: async () => {
      ended.abort();
      await beating;
      await renewing?.catch(() => {});
      if (lost.signal.aborted) return;
      await documents.remove('lease', { expected: version }).catch((error) => {
        // Taken over at the last moment: it is theirs to give back.
        if (!(error instanceof Conflict)) throw error;
      });
    },
  };
}

function lostTo(place: string, found: StoredDocument | undefined, now: number) {
  const other = found && parseLease(found.text);
  const who = other
    ? `: it is in use by ${holderText(other, now)}`
    : found
      ? ''
      : ' by `trueup ledger unlock`';
  return problem('lease/lost', `the lease of the ledger ${place} was taken from this run${who}`, {
    hint: 'this run writes nothing more, and its last changes may be missing from the ledger; plan again once no other run is active',
  });
}
