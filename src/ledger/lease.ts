import { Problems, problem } from '../model/diagnostic.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import {
  formatLease,
  formatLeaseHolder,
  type Holder,
  hasPlausibleExpiry,
  heartbeat,
  type LeaseRecord,
  leaseHeldProblem,
  leaseTerm,
  parseLease,
} from './lease-record.ts';
import { LeaseWatch } from './lease-watch.ts';

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

/** Somebody else has the lease. Nothing is wrong: it works later. */
class Held extends Problems {
  readonly isForLater = true;
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

const poll = 2000;
/** For this long, in milliseconds, a lease that was just seen is trusted to be there still. */
const trust = 2000;

/**
 * Takes the lease. One that is there is judged by the clocks of those who watch it alone: it is over once its holder has not renewed it for
 * a term of watching, whatever its dates say; where they cannot be right, it is watched for a term before it is said to be held. Throws
 * `Problems` that say who has it.
 */
export async function acquireLease(documents: Documents, options: LeaseOptions): Promise<Lease> {
  const { holder, clock, wait = 0, onWait } = options;
  const start = clock.monotonic();
  const watch = new LeaseWatch(documents);
  for (let told = false; ; ) {
    const storedDocument = await documents.read('lease');
    const leaseRecord = storedDocument && parseLease(storedDocument.text);
    const tick = clock.monotonic();
    watch.observe(storedDocument, tick);
    const isOver = leaseRecord !== undefined && watch.unchangedFor >= leaseTerm;
    if (!storedDocument || isOver) {
      const since = new Date(clock.now()).toISOString();
      const record = renewed({ formatVersion: 1, ...holder, since, expires: since }, clock.now());
      try {
        const version = await documents.write('lease', formatLease(record), {
          expected: storedDocument?.version,
        });
        return hold(documents, clock, record, version);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        // Somebody was faster: see who.
        continue;
      }
    }
    const now = clock.now();
    const held = leaseHeldProblem(documents.place, leaseRecord, now);
    const isDoubtful =
      leaseRecord !== undefined && !hasPlausibleExpiry(leaseRecord, now) && !watch.hasChanged;
    const left = Math.max(start + wait - tick, isDoubtful ? leaseTerm - watch.unchangedFor : 0);
    if (left <= 0) throw leaseRecord ? new Held([held]) : new Problems([held]);
    if (!told)
      onWait?.(
        `Waiting up to ${Math.ceil(left / 1000)} s: ${held.message}${isDoubtful ? '; the lease counts as expired if it does not change in that time' : ''}.`,
      );
    told = true;
    await watch.noteInLease();
    await clock.sleep(Math.min(poll, left));
  }
}

const renewed = (record: LeaseRecord, now: number): LeaseRecord => ({
  ...record,
  renewals: (record.renewals ?? -1) + 1,
  expires: new Date(now + leaseTerm).toISOString(),
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

  /** Does a write over the lease as it is now, as long as that is ours; `other` is told of one that is not. */
  const overwrite = async (
    write: () => Promise<void>,
    other: (found: StoredDocument | undefined) => void,
  ): Promise<void> => {
    for (let left = 5; ; left--)
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        const { stored: found } = error;
        // A renewal that arrived, though nothing said so, or a note of somebody who waits: it is ours as before.
        const isOurs = found && parseLease(found.text)?.run === record.run;
        if (!isOurs) return other(found);
        if (left === 0) throw error;
        version = found.version;
      }
  };

  const renewOnce = () =>
    overwrite(
      async () => {
        const next = renewed(record, clock.now());
        const begun = moment();
        // What arrived and nothing said so is another text than what follows.
        record = next;
        version = await documents.write('lease', formatLease(next), { expected: version });
        seenAt = moment();
        renewedAt = begun;
      },
      (storedDocument) => lost.abort(new Problems([lostTo(documents.place, storedDocument, clock.now())])),
    );
  let renewing: Promise<void> | undefined;
  const renew = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  const lookOnce = async () => {
    seenAt = moment();
    const storedDocument = await documents.read('lease');
    const isOurs = storedDocument && parseLease(storedDocument.text)?.run === record.run;
    if (!isOurs && !ended.signal.aborted)
      lost.abort(new Problems([lostTo(documents.place, storedDocument, clock.now())]));
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
      if (!lost.signal.aborted && since(renewedAt) >= leaseTerm) await renew();
      lost.signal.throwIfAborted();
    },
    release: async () => {
      ended.abort();
      await beating;
      await renewing?.catch(() => {});
      if (lost.signal.aborted) return;
      // Taken over at the last moment: it is theirs to give back.
      await overwrite(
        () => documents.remove('lease', { expected: version }),
        () => {},
      );
    },
  };
}

function lostTo(place: string, storedDocument: StoredDocument | undefined, now: number) {
  const leaseRecord = storedDocument && parseLease(storedDocument.text);
  const who = leaseRecord
    ? `: it is in use by ${formatLeaseHolder(leaseRecord, now)}`
    : storedDocument
      ? ''
      : ' by `trueup ledger unlock`';
  return problem('lease/lost', `the lease of the ledger ${place} was taken from this run${who}`, {
    hint: 'this run writes nothing more, and its last changes may be missing from the ledger; plan again once no other run is active',
  });
}
