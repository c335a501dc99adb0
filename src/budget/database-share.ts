import { defaultPause } from '../http/bucket.ts';
import type { Alarm, Clock } from '../http/clock.ts';
import type { Budget, Limits, Share } from '../model/budget.ts';
import { type Alone, type Contact, goAlone } from './database-contact.ts';
import type { Draw, Drawn, Told } from './grant-calls.ts';
import { mostWanted, validity } from './shared-bucket.ts';

/** Answers are told of so soon, so that what is not used is there for others; in milliseconds. */
const soon = 250;
/** The interval at which a run that holds something reports. */
export const heartbeat = 10_000;
/** The interval at which a run checks whether others gave something back. */
const poll = 250;
/** Calls to reserve ahead of use. */
const ahead = 10;

interface ShareOptions {
  clock: Clock;
  alarm: Alarm;
  contact: Contact;
  needs: Parameters<Budget['share']>[1];
  /** The announced requests to this bucket that are still to come; `sent` counts one off. */
  due(): number;
  sent(): void;
  /** Answers tell of no limit, as was known before. */
  untold: boolean;
  draw(asked: Omit<Draw, 'run'>): Promise<Drawn>;
}

/** One run's share of a bucket, as the database gives it; while that does not answer, a part of what was last known of it. */
export class DatabaseShare implements Share {
  readonly #options: ShareOptions;
  readonly #answers: Answers;
  #left: number;
  #inFlight = 0;
  /** Since the last time that it was told. */
  #used = 0;
  #asking: Promise<void> | undefined;
  #isClosed = false;
  #turn = 0;
  /** When there is no point in asking before. */
  #nextLook = 0;
  #last: Drawn | undefined;
  #lastContact: number;
  #alone: Alone | undefined;
  #timer: { at: number; stop(): void } | undefined;
  /** The database knows of something that this run holds, or may. */
  isKnown = false;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.#answers = openAnswers(options.clock);
    this.#left = options.untold ? Infinity : 0;
    this.#lastContact = options.clock.now();
  }

  left(): number {
    if (this.#alone) this.#left += this.#alone.more();
    // Others may have been given by now what this run held.
    else if (this.#left < Infinity && this.#now() - this.#lastContact > validity) this.#left = 0;
    return this.#left;
  }

  more(): number | undefined {
    if (this.#asking) return undefined;
    const { contact } = this.#options;
    if (contact.isDue() && (this.#alone || this.#now() >= this.#nextLook)) {
      this.#ask();
      return undefined;
    }
    if (this.#alone) return this.#alone.until() ?? this.#now() + defaultPause;
    if (contact.isDue()) return this.#nextLook;
    this.#goOnAlone();
    return this.#now() + 1;
  }

  begin(): void {
    this.#left -= 1;
    this.#used += 1;
    this.#inFlight += 1;
  }

  end(how: Parameters<Share['end']>[0], limits: Limits | undefined): void {
    this.#inFlight -= 1;
    if (how === 'unsent') this.#left += 1;
    else {
      this.#options.sent();
      const resetIn = this.#answers.note(limits, how === 'answered');
      this.#left += this.#alone?.hear(resetIn) ?? 0;
    }
    if (this.#left === Infinity && !this.#alone) {
      // What is not limited is not counted.
      if (!this.#answers.isLimited()) return void this.#answers.take();
      this.#left = 0;
    }
    // It was the one call that was to tell of the bucket.
    if (this.#last && this.#last.limit === undefined) this.#nextLook = 0;
    this.#tellIn(soon);
  }

  /** From here on nothing is told, once what is under way is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.stop();
    await this.#asking;
  }

  #now = (): number => this.#options.clock.now();

  /** Tells of what is, and asks for more, so many milliseconds from now at the latest. */
  #tellIn(milliseconds: number): void {
    const index = this.#now() + milliseconds;
    if (this.#asking || this.#isClosed || (this.#timer && this.#timer.at <= index)) return;
    this.#timer?.stop();
    const stop = this.#options.alarm(milliseconds, () => {
      this.#timer = undefined;
      if (!this.#asking && this.#options.contact.isDue()) this.#ask();
    });
    this.#timer = { at: index, stop };
  }

  #ask(): void {
    this.isKnown = true;
    this.#timer?.stop();
    this.#timer = undefined;
    const { contact, draw, needs } = this.#options;
    const own = this.#kept();
    this.#used = 0;
    const { said, back } = this.#answers.take();
    const asked = { turn: ++this.#turn, ...said, ...this.#needed(own) };
    this.#asking = contact
      .ask(() => draw(asked))
      .then((drawn) => {
        this.#asking = undefined;
        if (this.#isClosed) return;
        if (drawn) this.#take(drawn, own);
        else {
          back();
          this.#goOnAlone();
        }
        needs.changed();
      });
  }

  /** The part that this run keeps: everything while calls wait, then as much as it used since the last time. */
  #kept(): number {
    const { waiting, reserved } = this.#options.needs.now();
    // A part that it gave itself is not known to the others.
    if (this.#alone || this.#left === Infinity) return reserved;
    if (waiting === 0) this.#left = Math.min(this.#left, reserved + this.#used);
    return this.#left;
  }

  #needed(own: number): Pick<Draw, 'held' | 'reserved' | 'wanted' | 'ahead' | 'due'> {
    const { needs, due } = this.#options;
    const { waiting, reserved } = needs.now();
    const lacking = waiting + reserved - own;
    return {
      held: own + this.#inFlight,
      reserved: Math.min(reserved, own),
      wanted: Math.min(mostWanted, Math.max(0, lacking)),
      ahead: waiting > 0 ? Math.min(ahead, Math.max(0, ahead + lacking)) : 0,
      due: due(),
    };
  }

  #take(drawn: Drawn, own: number): void {
    const now = this.#now();
    if (this.#alone || this.#left === Infinity) this.#left = own;
    this.#alone = undefined;
    this.#last = drawn;
    this.#lastContact = now;
    this.#left += drawn.granted;
    if (this.#left === Infinity) return;
    const wait = drawn.isSpent && drawn.endsIn !== undefined ? drawn.endsIn : poll;
    this.#nextLook = drawn.granted > 0 ? now : now + Math.max(1, Math.ceil(wait));
    const { waiting, reserved } = this.#options.needs.now();
    if (this.#left > reserved || this.#answers.isLimited()) this.#tellIn(soon);
    else if (this.#left + this.#inFlight + waiting > 0) this.#tellIn(heartbeat);
  }

  #goOnAlone(): void {
    if (this.#left < Infinity) this.#alone ??= goAlone(this.#last, this.#lastContact, this.#options.clock);
  }
}

type ReportedAnswers = Pick<Draw, 'told' | 'blind' | 'untold'>;
type Noted = Map<number | undefined, Omit<Told, 'age'> & { at: number }>;

/** Rate limits from answers that other runs have not been told of yet. */
interface Answers {
  /** Takes in one; how long its window lasts, in milliseconds, where it says that. */
  note(limits: Limits | undefined, isAnswer: boolean): number | undefined;
  /** True if one told of a limit. */
  isLimited(): boolean;
  /** All of it, to be told now; `back` where that failed. */
  take(): { said: ReportedAnswers; back(): void };
}

function openAnswers(clock: Clock): Answers {
  let noted: Noted = new Map();
  let blind = 0;
  let untold = false;

  return {
    note(limits, isAnswer) {
      const { limit, remaining, window } = limits ?? {};
      const resetIn = limits?.resetIn ?? (remaining === 0 ? defaultPause : undefined);
      if (remaining === undefined || resetIn === undefined) {
        blind += 1;
        untold ||= isAnswer;
        return undefined;
      }
      const least = Math.min(remaining, noted.get(window)?.remaining ?? remaining);
      noted.set(window, { limit, remaining: least, resetIn, window, at: clock.now() });
      return resetIn;
    },
    isLimited: () => noted.size > 0,
    take() {
      const now = clock.now();
      const before = { told: noted, blind, untold };
      [noted, blind, untold] = [new Map(), 0, false];
      const all = [...before.told.values()].map(({ at, resetIn, ...one }) => ({
        ...one,
        resetIn: resetIn - (now - at),
        age: now - at,
      }));
      return {
        said: { told: all, blind: before.blind, untold: before.untold },
        back() {
          noted = new Map([...before.told, ...noted]);
          blind += before.blind;
          untold ||= before.untold;
        },
      };
    },
  };
}
