import { Problems, problem } from '../model/diagnostic.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import type { Holder } from './holder.ts';
import { heldBy, holderText, isExpired, type LeaseRecord, leaseText, parseLease } from './lease-record.ts';

/** The time, and waiting that can be called off (it rejects then); tests bring their own. */
export interface LeaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface LeaseOptions {
  holder: Holder;
  clock: LeaseClock;
  /** How many milliseconds to wait for another holder; none by default. */
  wait?: number;
  /** Told once, before it waits. */
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

/** A holder that is not heard of for this long is taken for gone. The clocks of the machines may differ by less. */
const term = 60_000;
const heartbeat = 10_000;
const poll = 2000;
/** How long it goes without saying that a lease that was seen is still there. */
const trust = 2000;

/** Takes the lease; one that has expired is taken over. Throws `Problems` that say who has it. */
export async function acquireLease(documents: Documents, options: LeaseOptions): Promise<Lease> {
  const { holder, clock, wait = 0, onWait } = options;
  const end = clock.now() + wait;
  for (let told = false; ; ) {
    const found = await documents.read('lease');
    const other = found && parseLease(found.text);
    const now = clock.now();
    if (!found || (other && isExpired(other, now))) {
      const since = new Date(now).toISOString();
      const record = renewed({ formatVersion: 1, ...holder, since, expires: since }, now);
      try {
        const version = await documents.write('lease', leaseText(record), { expected: found?.version });
        return hold(documents, clock, record, version);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        // Somebody was faster: see who.
        continue;
      }
    }
    const held = heldBy(documents.place, other, now);
    if (now >= end) throw new Problems([held]);
    if (!told) onWait?.(held.message);
    told = true;
    await clock.sleep(Math.min(poll, end - now));
  }
}

const renewed = (record: LeaseRecord, now: number): LeaseRecord => ({
  ...record,
  expires: new Date(now + term).toISOString(),
});

function hold(documents: Documents, clock: LeaseClock, first: LeaseRecord, firstVersion: string): Lease {
  let [record, version] = [first, firstVersion];
  let seenAt = clock.now();
  const lost = new AbortController();
  const ended = new AbortController();

  const renewOnce = async () => {
    const next = renewed(record, clock.now());
    try {
      version = await documents.write('lease', leaseText(next), { expected: version });
      record = next;
      seenAt = clock.now();
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
    seenAt = clock.now();
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
        throw new Problems([problem('lease/released', 'the run was stopped: nothing more is written')]);
      // Somebody may have said that this run is gone. Where the place does not answer, it is ours until it expires.
      const isOld = looking || clock.now() - seenAt >= trust;
      if (!lost.signal.aborted && isOld) await look().catch(() => {});
      // The machine may have slept, or its network been away.
      if (!lost.signal.aborted && isExpired(record, clock.now())) await renew();
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
  return problem('lease/lost', `the lease of the ledger ${place} was taken away from this run${who}`, {
    hint: 'this run writes nothing more, and its last changes may be missing in the ledger; once nobody works on it, plan again',
  });
}
