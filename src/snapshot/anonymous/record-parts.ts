/*
 * The parts of an anonymous snapshot: what stacks were planned from and their configuration, with pseudonyms for all texts.
 */
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { makePart } from '../make-part.ts';
import type { SessionRecording } from '../recording.ts';
import type { StackPart } from '../snapshot.ts';
import { anonymizePart } from './anonymize.ts';
import { type DecidingOption, decidingOptions } from './deciding-options.ts';
import { embedConfiguration } from './embedded.ts';
import { type ComparedPlan, findPlainDigests } from './find-plain-digests.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { collectPlatformWords } from './words.ts';

/** The options of a command that plans. */
type DecidingOptions = Partial<Record<DecidingOption, unknown>>;

/** Makes the anonymous part of a stack from its session and its plan. `waitsFor`: the ids of the stacks that are planned before it. */
type MakeAnonymousPart = (
  session: Parameters<typeof makePart>[0] &
    Parameters<typeof embedConfiguration>[0] & { recording?: SessionRecording | undefined },
  planned: ComparedPlan,
  waitsFor?: readonly string[],
) => Promise<StackPart>;

/**
 * Returns the functions that make the anonymous parts of a snapshot, each after its stack was planned. The parts share their pseudonyms, so that stacks
 * which refer to each other still do.
 */
export async function prepareAnonymousParts(
  provider: Provider,
  options: DecidingOptions,
): Promise<{
  pseudonyms: Pseudonyms;
  makePart: MakeAnonymousPart;
  /** Makes the part of one of several stacks, under a pseudonym of its id. */
  makeNamedPart(
    stack: { id: string; waitsFor: readonly string[] },
    ...given: Parameters<MakeAnonymousPart>
  ): Promise<Record<string, StackPart>>;
}> {
  // A snapshot is read by the names of these options, so they cannot have pseudonyms.
  const pseudonyms = new Pseudonyms(new Set([...(await collectPlatformWords(provider)), ...decidingOptions]));
  const kinds = kindsOf(provider.kinds);
  const deciding = Object.fromEntries(decidingOptions.map((name) => [name, options[name]]));
  const makeAnonymousPart: MakeAnonymousPart = async (session, planned, waitsFor = []) => {
    pseudonyms.hideSecrets(planned.statedSecrets ?? []);
    const stackPart = await makePart(session, planned, session.recording!, (tokenOf) =>
      embedConfiguration(session, planned.live, { options: deciding, waitsFor }, tokenOf),
    );
    const ledgers = [session.ledger, ...(await session.otherStacks.readAll())];
    const plainDigests = findPlainDigests(ledgers, planned, kinds);
    return anonymizePart(stackPart, pseudonyms, kinds, plainDigests);
  };
  return {
    pseudonyms,
    makePart: makeAnonymousPart,
    makeNamedPart: async ({ id, waitsFor }, session, planned) => ({
      [pseudonyms.rename(id)]: await makeAnonymousPart(session, planned, waitsFor),
    }),
  };
}
