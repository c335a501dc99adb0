/*
 * Records what a session observes while it plans: reads of the account, keyed digests, warnings, and the time.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type DigestKey, keyedDigest, type LedgerKey } from '../model/digest.ts';
import type { Masking } from '../model/masking.ts';
import { revealed } from '../model/sealed.ts';
import type { PlanJudge } from '../run/session.ts';
import { ReadRecording } from './record-reads.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { RecordedDigest, StackPart } from './snapshot.ts';

/** Everything that one session observes while it plans. */
export class SessionRecording {
  readonly reads = new ReadRecording();
  readonly digests = new DigestRecording();
  secretProblems: Diagnostic[] = [];
  /** Guards with the verdict about the plan. */
  judge: PlanJudge | undefined;
  /** The stretches of texts from outside that the plan shows as `(secret)`: they are parts of secrets. */
  readonly hiddenStretches = new Set<string>();
  #firstWarnings: Diagnostic[] = [];

  /**
   * Keeps the warnings about the place of the ledger, and why secrets were not available, because a plan from the snapshot repeats them.
   */
  noteWarnings(ledgerWarnings: Diagnostic[], secretProblems: Diagnostic[]): void {
    this.#firstWarnings = ledgerWarnings;
    this.secretProblems = secretProblems;
  }

  /** Returns a clock that always shows the present time, so that the whole plan, and each plan from the snapshot, has one time. */
  stopClock<C extends { now(): number }>(clock: C): C {
    const time = clock.now();
    return { ...clock, now: () => time };
  }

  /**
   * Returns a masking (it hides parts of secrets in texts from outside, such as answers of the platform) that also remembers the stretches
   * of text that it hides. The snapshot contains the same answers, so these stretches are replaced by tokens in it, too: otherwise it would
   * show what the plan hides.
   */
  recordMasking(masking: Masking): Masking {
    return {
      ...masking,
      mask: (text, alsoVisible) => {
        for (const stretch of masking.listHidden(text, alsoVisible)) this.hiddenStretches.add(stretch);
        return masking.mask(text, alsoVisible);
      },
    };
  }

  /**
   * Returns guards (programs that allow or refuse a plan) that remember their verdict, so that their programs need not run again when the
   * snapshot is checked.
   */
  recordJudge(judge: PlanJudge | undefined): PlanJudge | undefined {
    if (!judge) return undefined;
    const recordVerdict: PlanJudge['judge'] = async (...given) => {
      const verdict = await judge.judge(...given);
      this.judge = { ...judge, judge: async () => verdict };
      return verdict;
    };
    return { ...judge, judge: recordVerdict };
  }

  /**
   * Returns the warnings about the ledger among those of a session, so that a plan from the snapshot repeats them: `first` those that were
   * noted when the session opened, `last` all later ones whose code begins with `ledger/`.
   */
  ledgerWarningsIn(diagnostics: readonly Diagnostic[]): StackPart['ledgerWarnings'] {
    const last = diagnostics.filter(
      (diagnostic) => diagnostic.code.startsWith('ledger/') && !this.#firstWarnings.includes(diagnostic),
    );
    return { first: this.#firstWarnings, last };
  }
}

/** Records the keyed digests that are made with a ledger key while a session plans. */
export class DigestRecording {
  readonly #digests: RecordedDigest[] = [];

  /** Returns a ledger key that makes the same digests, and records each. */
  record(key: LedgerKey | undefined): LedgerKey | undefined {
    return key && (this.#watch(key) as LedgerKey);
  }

  /**
   * Returns a ledger key that makes the same keyed digests, and records each with the value that it was made of, because a plan from the
   * snapshot has no key and looks them up. Does the same for the earlier keys in it.
   */
  #watch<K extends DigestKey & Partial<Pick<LedgerKey, 'previous' | 'legacyKey'>>>(key: K): K {
    const { legacyKey, previous } = key;
    return {
      ...key,
      ...(legacyKey && { legacyKey: this.#watch(legacyKey) }),
      ...(previous && { previous: this.#watch(previous) }),
      // `keyedDigest` asks here for each digest before it computes one.
      recordedDigests: {
        get: (salt: string, value: unknown, isUnordered: boolean) => {
          const digest = keyedDigest(key, salt, value);
          this.#digests.push({ key: key.id, salt, value, digest, unordered: isUnordered || undefined });
          return digest;
        },
      },
    };
  }

  /**
   * Returns the recorded keyed digests for a snapshot, each with the value that it was made of, and with tokens instead of secrets in the
   * value. A plan from the snapshot may ask for the digest of a value in two forms: as in an answer, with tokens for all texts that are
   * secret anywhere (`replaced`), and as in the configuration, with tokens for its sealed texts alone (`declared`). A value that is a text
   * is kept in the second form only if that does not tell which ledger entry has it (`recorded`: the digests in ledgers), or if the plan
   * shows it in the field of that entry (`isShownAtDigest`).
   */
  finish(
    tokens: SecretTokens,
    recorded: ReadonlySet<string>,
    isShownAtDigest: (text: string, digest: string) => boolean,
  ): StackPart['digests'] {
    return this.#digests.flatMap((recordedDigest) => {
      const { value, digest } = recordedDigest;
      const openValue = revealed(value);
      const isText = typeof openValue === 'string';
      const replaced = tokens.replaceEach(openValue);
      const declared = isText ? openValue : tokens.replaceSealed(value);
      const mayKeepText = (text: string) =>
        recorded.has(digest) ? isShownAtDigest(text, digest) : tokens.isShownSomewhere(text);
      const hasTwoForms = !isDeepStrictEqual(replaced, declared) && (!isText || mayKeepText(openValue));
      const forms = hasTwoForms ? [replaced, declared] : [replaced];
      return forms.map((form) => ({ ...recordedDigest, value: form }));
    });
  }
}
