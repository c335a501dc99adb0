import { defaultPause } from '../http/bucket.ts';
import type { Alarm, Clock } from '../http/clock.ts';
import type { Budget, Limits, Share } from '../model/budget.ts';
import type { DatabaseContact } from './database-contact.ts';
import type { Grant, GrantRequest, LimitReport } from './grant-calls.ts';
import { mostWanted, validity } from './shared-bucket.ts';

/*
 * One run's share of one rate bucket. The limiter asks it before each call. Terms as in `grant-calls.ts`, and:
 *
 *   free calls   granted calls that the run has not started yet. Infinity if the platform does not limit the bucket
 *   exchange     one grant request to the database with its answer. It reports, returns calls and asks for more at once
 *   offline      the database does not answer. The run then uses an `OfflineAllowance` instead of grants
 *
 * A run exchanges when the limiter needs more calls, shortly after it has something to report, and every ten seconds while it holds
 * something. A silent run loses its calls: it stops using them after `validity`, and the others take them over after `expiry`.
 *
 * Example with a limit of 10 and two runs. A is granted 5 and starts 2 of them. When no more of its calls wait, it keeps only as many as it
 * started since its last exchange. So the next exchange returns one call, which B gets within a quarter of a second.
 */

/** The delay in milliseconds before a run reports, so that one exchange covers several answers. */
const reportDelay = 250;
/** The interval in milliseconds at which a run that holds something exchanges, so that it is not taken for dead. */
export const exchangeInterval = 10_000;
/** The interval in milliseconds at which a run that was granted nothing checks whether others returned calls. */
const retryInterval = 250;
/** The number of calls to ask for beyond those that wait. */
const callsAhead = 10;

interface ShareOptions {
  clock: Clock;
  alarm: Alarm;
  contact: DatabaseContact;
  needs: Parameters<Budget['share']>[1];
  /** Returns the announced requests to this bucket that were not sent yet. */
  dueRequests(): number;
  /** Called when one of them was sent. */
  noteSent(): void;
  /** True if an earlier answer showed that the platform does not limit the bucket. */
  isUnlimited: boolean;
  /** Sends a grant request to the database. */
  request(request: Omit<GrantRequest, 'run'>): Promise<Grant>;
}

/** A share that the database grants. */
export class DatabaseShare implements Share {
  readonly #options: ShareOptions;
  readonly #reports: PendingReports;
  #freeCalls: number;
  #inFlight = 0;
  #startedSinceExchange = 0;
  #exchange: Promise<void> | undefined;
  #isClosed = false;
  #turn = 0;
  /** The time before which another request is useless, because nothing can have been returned. */
  #nextRequestAt = 0;
  #lastGrant: Grant | undefined;
  #lastExchangeAt: number;
  #offline: OfflineAllowance | undefined;
  #timer: { at: number; stop(): void } | undefined;
  /** True if the database may record something for this run, which `close` of the budget then removes. */
  isRecorded = false;

  /**
   * Creates one run's share of a rate limit of the platform, which all runs with the same token divide through a database (`--limits`). It
   * starts without calls, so the run has to request some first. If earlier answers showed that there is no limit, it needs none.
   */
  constructor(options: ShareOptions) {
    this.#options = options;
    this.#reports = openReports(options.clock);
    this.#freeCalls = options.isUnlimited ? Infinity : 0;
    this.#lastExchangeAt = options.clock.now();
  }

  /**
   * Returns how many calls this run may start now: those that the database of shared rate limits (`--limits`) granted and that are still
   * unused. Asked before each call. For a run without the database, first adds the calls of its offline allowance. Drops the granted calls
   * after a long silence.
   */
  availableCalls(): number {
    if (this.#offline) this.#freeCalls += this.#offline.take();
    // After a long silence, the database may have granted these calls to other runs.
    else if (this.#freeCalls < Infinity && this.#now() - this.#lastExchangeAt > validity) this.#freeCalls = 0;
    return this.#freeCalls;
  }

  /**
   * Asks the database for more calls of a rate limit that several runs share. Called when more calls wait than this
   * run may start. Returns the time in milliseconds at which to ask again; undefined while a request is under way,
   * since `needs.changed` is called at its end. If the database does not answer, the run goes on with an offline
   * allowance: an equal part of the limit.
   */
  requestCalls(): number | undefined {
    if (this.#exchange) return undefined;
    const mayQuery = this.#options.contact.mayQuery();
    // An offline run asks the database again as soon as it may.
    if (mayQuery && (this.#offline || this.#now() >= this.#nextRequestAt)) {
      this.#startExchange();
      return undefined;
    }
    if (this.#offline) return this.#offline.availableAt() ?? this.#now() + defaultPause;
    if (mayQuery) return this.#nextRequestAt;
    this.#goOffline();
    // The offline allowance can be used at once.
    return this.#now() + 1;
  }

  /**
   * Counts a call that this run starts now. It uses up one of the calls that the run was granted of a rate limit
   * which several runs share.
   */
  begin(): void {
    this.#freeCalls -= 1;
    this.#startedSinceExchange += 1;
    this.#inFlight += 1;
  }

  /**
   * Records the end of a call in this run's share of a rate limit, and schedules a report to the database, so that other runs learn how
   * much of the limit is left. An `unsent` call used up nothing, so it is free again. `limits`: the rate limit that the answer states. It
   * ends the state in which the database knows of no limit (`#freeCalls` is infinite, and the run is not offline).
   */
  end(outcome: Parameters<Share['end']>[0], limits: Limits | undefined): void {
    this.#inFlight -= 1;
    if (outcome === 'unsent') this.#freeCalls += 1;
    else {
      this.#options.noteSent();
      const resetIn = this.#reports.add(limits, outcome === 'answered');
      this.#freeCalls += this.#offline?.noteAnswer(resetIn) ?? 0;
    }
    const countsAsUnlimited = this.#freeCalls === Infinity && !this.#offline;
    if (countsAsUnlimited) {
      // Without a limit there is nothing to report, so the reports are thrown away.
      if (!this.#reports.hasLimit()) {
        this.#reports.take();
        return;
      }
      this.#freeCalls = 0;
    }
    const wasGrantedToLearnLimit = this.#lastGrant !== undefined && this.#lastGrant.limit === undefined;
    // There may be more calls now, so the next request need not wait.
    if (wasGrantedToLearnLimit) this.#nextRequestAt = 0;
    this.#scheduleExchange(reportDelay);
  }

  /**
   * Ends this run's share of a rate limit at the end of the run: waits for the exchange with the database that is
   * under way, and starts no other one. So the run asks for no calls after the database has removed it.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.stop();
    await this.#exchange;
  }

  #now = (): number => this.#options.clock.now();

  /**
   * Schedules an exchange with the database of shared rate limits, which reports used calls and asks for more,
   * after this delay in milliseconds. Does nothing if one is due earlier or under way, so that one exchange covers
   * several calls.
   */
  #scheduleExchange(delay: number): void {
    const time = this.#now() + delay;
    if (this.#exchange || this.#isClosed || (this.#timer && this.#timer.at <= time)) return;
    this.#timer?.stop();
    const stop = this.#options.alarm(delay, () => {
      this.#timer = undefined;
      if (!this.#exchange && this.#options.contact.mayQuery()) this.#startExchange();
    });
    this.#timer = { at: time, stop };
  }

  /**
   * Sends a grant request to the database through which several runs share a rate limit, and applies its answer. One
   * such exchange reports the calls that were used, returns the unused calls that this run does not keep
   * (`#keepCalls`), and asks for more. If the database does not answer, the reports are kept for the next exchange,
   * and the run continues with an equal part of the limit. In the end, the limiter learns that the number of its
   * calls may have changed, unless the share was closed meanwhile.
   */
  #startExchange(): void {
    // From now on, the database may have entries of this run, which the end of the run removes.
    this.isRecorded = true;
    this.#timer?.stop();
    this.#timer = undefined;
    const { contact, request, needs } = this.#options;
    const keptCalls = this.#keepCalls();
    this.#startedSinceExchange = 0;
    const { reports, restore } = this.#reports.take();
    // The turn is a rising number, so that a delayed request cannot undo a later one.
    const grantRequest = { turn: ++this.#turn, ...reports, ...this.#demand(keptCalls) };
    this.#exchange = contact
      .query(() => request(grantRequest))
      .then((grant) => {
        this.#exchange = undefined;
        if (this.#isClosed) return;
        if (grant) this.#applyGrant(grant, keptCalls);
        else {
          restore();
          this.#goOffline();
        }
        needs.changed();
      });
  }

  /**
   * Decides how many of its granted calls this run keeps in an exchange with the database of shared rate limits, and returns the number. It
   * keeps all while calls wait, otherwise those reserved for later and as many as it started since the last exchange. The others go back to
   * the other runs: lowers `#freeCalls` (the granted calls that are not started yet, with the reserved ones; infinite without a limit).
   */
  #keepCalls(): number {
    const { waiting, reserved } = this.#options.needs.now();
    // The database does not know calls that are free offline or without a limit. Only the reserved ones are claimed (see `#applyGrant`).
    if (this.#offline || this.#freeCalls === Infinity) return reserved;
    if (waiting === 0) this.#freeCalls = Math.min(this.#freeCalls, reserved + this.#startedSinceExchange);
    return this.#freeCalls;
  }

  /**
   * Returns the part of a grant request that says what this run needs of a shared rate limit: the calls that it
   * holds and reserves, how many it lacks (`wanted`), and some in advance while calls wait (`ahead`). The database
   * divides the limit among the runs by these numbers. `keptCalls`: the unused calls that the run does not return.
   */
  #demand(keptCalls: number): Pick<GrantRequest, 'held' | 'reserved' | 'wanted' | 'ahead' | 'due'> {
    const { needs, dueRequests } = this.#options;
    const { waiting, reserved } = needs.now();
    const lacking = waiting + reserved - keptCalls;
    // Unused calls beyond those that wait or are reserved. They count as calls in advance.
    const spare = Math.max(0, -lacking);
    return {
      held: keptCalls + this.#inFlight,
      reserved: Math.min(reserved, keptCalls),
      wanted: Math.min(mostWanted, Math.max(0, lacking)),
      ahead: waiting > 0 ? Math.max(0, callsAhead - spare) : 0,
      due: dueRequests(),
    };
  }

  /**
   * Adds the calls that the database granted to the free ones (granted and not started), and sets the time of the next exchange. If nothing
   * was granted, the run waits until other runs may have returned calls or, if the limit is used up, until it is reset. A run that holds
   * calls reports regularly, so that it is not taken for dead. `keptCalls`: the calls that it claimed in the exchange (`#keepCalls`).
   */
  #applyGrant(grant: Grant, keptCalls: number): void {
    const grantedAt = this.#now();
    // Calls that were free offline or without a limit were not granted. From now on, only the claimed ones are.
    if (this.#offline || this.#freeCalls === Infinity) this.#freeCalls = keptCalls;
    this.#offline = undefined;
    this.#lastGrant = grant;
    this.#lastExchangeAt = grantedAt;
    this.#freeCalls += grant.granted;
    if (this.#freeCalls === Infinity) return;
    const wait = grant.isSpent && grant.endsIn !== undefined ? grant.endsIn : retryInterval;
    this.#nextRequestAt = grant.granted > 0 ? grantedAt : grantedAt + Math.max(1, Math.ceil(wait));
    const { waiting, reserved } = this.#options.needs.now();
    const hasCallsToReturn = this.#freeCalls > reserved;
    if (hasCallsToReturn || this.#reports.hasLimit()) this.#scheduleExchange(reportDelay);
    else if (this.#freeCalls + this.#inFlight + waiting > 0) this.#scheduleExchange(exchangeInterval);
  }

  /**
   * Switches to an allowance that works without the database, because the database does not answer. The run
   * then continues with an equal part of the limit instead of failing. An unlimited bucket needs no
   * allowance.
   */
  #goOffline(): void {
    if (this.#freeCalls < Infinity)
      this.#offline ??= createOfflineAllowance(this.#lastGrant, this.#lastExchangeAt, this.#options.clock);
  }
}

/** The members of a grant request that say what the platform answered. */
type Reports = Pick<GrantRequest, 'reports' | 'unreportedCalls' | 'isUnlimited'>;

/** What the platform answered to one run's calls of a bucket since the last grant request. The next request tells the other runs. */
interface PendingReports {
  /**
   * Adds a call that ended. Returns the milliseconds until its window ends, or undefined if the answer does not state them.
   * @param isAnswered false if the answer was lost
   */
  add(limits: Limits | undefined, isAnswered: boolean): number | undefined;
  /** True if an answer stated a limit. */
  hasLimit(): boolean;
  /** Returns everything for a grant request and starts again. `restore` undoes that if the request failed. */
  take(): { reports: Reports; restore(): void };
}

/**
 * Opens an empty collection of what answers of the platform said about one rate limit, until this run sends it to the database through
 * which several runs share the limit. It keeps one report for each window (the time until the limit is reset), with the fewest remaining
 * calls. Answers that state no limit are only counted. `take` empties the collection; `restore` puts its reports back if they could not be
 * sent, except for windows that have a newer one.
 */
function openReports(clock: Clock): PendingReports {
  let reportsByWindow = new Map<number | undefined, Omit<LimitReport, 'age'> & { at: number }>();
  let unreportedCalls = 0;
  let isUnlimited = false;

  return {
    add(limits, isAnswered) {
      const { limit, remaining, window } = limits ?? {};
      const resetIn = limits?.resetIn ?? (remaining === 0 ? defaultPause : undefined);
      if (remaining === undefined || resetIn === undefined) {
        unreportedCalls += 1;
        isUnlimited ||= isAnswered;
        return undefined;
      }
      const fewest = Math.min(remaining, reportsByWindow.get(window)?.remaining ?? remaining);
      reportsByWindow.set(window, { limit, remaining: fewest, resetIn, window, at: clock.now() });
      return resetIn;
    },
    hasLimit: () => reportsByWindow.size > 0,
    take() {
      const takenAt = clock.now();
      const takenReports = { reportsByWindow, unreportedCalls, isUnlimited };
      [reportsByWindow, unreportedCalls, isUnlimited] = [new Map(), 0, false];
      const reports = [...takenReports.reportsByWindow.values()].map(({ at, resetIn, ...report }) => ({
        ...report,
        resetIn: resetIn - (takenAt - at),
        age: takenAt - at,
      }));
      return {
        reports: {
          reports,
          unreportedCalls: takenReports.unreportedCalls,
          isUnlimited: takenReports.isUnlimited,
        },
        restore() {
          reportsByWindow = new Map([...takenReports.reportsByWindow, ...reportsByWindow]);
          unreportedCalls += takenReports.unreportedCalls;
          isUnlimited ||= takenReports.isUnlimited;
        },
      };
    },
  };
}

/** The calls that a run may start on its own while the database does not answer. */
interface OfflineAllowance {
  /** Returns the calls that the run may start now, beyond those of earlier calls of `take`. */
  take(): number;
  /** Returns when there will be more, in milliseconds since 1970. Undefined if only an answer of the platform can tell. */
  availableAt(): number | undefined;
  /**
   * Takes note of an answer, and returns how many more calls may start because of it.
   * @param resetIn the milliseconds until its window ends; undefined if the answer does not state them
   */
  noteAnswer(resetIn: number | undefined): number;
}

/**
 * Creates the allowance of a run that cannot reach the database through which several runs share a rate limit. In the current window (the
 * time until the limit is reset) it is an equal part of the free calls, in later windows an equal part of the limit. Without an earlier
 * grant it is everything, as if there were no database. `grantedAt`: the time of the last grant. `take` returns all calls that are left, so
 * the next ones come in the next window. `noteAnswer` sets the end of the window, and returns how many calls more the run may start: one
 * if the answer stated no limit and the end is unknown.
 */
export function createOfflineAllowance(
  lastGrant: Grant | undefined,
  grantedAt: number,
  clock: Clock,
): OfflineAllowance {
  const { free = Infinity, limit = Infinity, runs = 1, endsIn } = lastGrant ?? {};
  let windowEnd = endsIn === undefined ? undefined : grantedAt + endsIn;
  const partOfFreeCalls = Math.floor(free / runs);
  // If the end of the window is unknown, only the answer to a call can tell it. So one call is always allowed.
  let available = windowEnd === undefined ? Math.max(1, partOfFreeCalls) : partOfFreeCalls;

  return {
    take() {
      if (windowEnd !== undefined && windowEnd <= clock.now()) {
        windowEnd = undefined;
        available = Math.max(1, Math.floor(limit / runs));
      }
      const takenCalls = available;
      available = 0;
      return takenCalls;
    },
    availableAt: () => windowEnd,
    noteAnswer(resetIn) {
      // The answer stated no limit, so the call may not have counted, and another one may try.
      if (resetIn === undefined) return windowEnd === undefined ? 1 : 0;
      windowEnd = Math.max(windowEnd ?? 0, clock.now() + resetIn);
      return 0;
    },
  };
}
