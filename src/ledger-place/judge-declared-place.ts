/*
 * Judges whether a run may use the place that `ledger:` of the YAML names. `validate` needs only this, so the code that opens ledgers is
 * not imported here.
 */
import type { Configuration } from '../config/configuration.ts';
import { workspaceFileName } from '../config/find-workspace.ts';
import type { DeclaredLedger } from '../config/read-ledger-place.ts';
import type { Sources } from '../config/sources/sources.ts';
import { type SourceRequest, toRefusal } from '../config/sources/verdict.ts';
import type { Host } from '../host.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { operatorLedgerPlace } from '../stores/ledger-choice.ts';

/** A configuration that may name the place of its ledger, and the sources that decide whether it may. */
export interface LedgerOwner {
  configuration: Pick<Configuration, 'ledger' | 'writtenStack'> & { desired: Pick<Desired, 'stack'> };
  sources: Sources;
}

/**
 * Asks whether the operator allows the place that `ledger:` names, because the author of a pull request can change the YAML. The permission
 * is for one stack, or for the workspace. Returns the error if it is not allowed (`refusal`), or else the real path of a file.
 */
export async function judgeDeclaredPlace(
  { place, folder, at, origin }: DeclaredLedger,
  { configuration, sources }: LedgerOwner,
): Promise<{ refusal: Diagnostic | undefined; path?: string | undefined }> {
  const request: SourceRequest = { use: 'ledger', name: 'place', origin: { ledger: place }, folder, at };
  // A place of the workspace is allowed once for all of its stacks.
  const owner = origin === 'workspace' ? workspaceFileName : configuration.writtenStack;
  const verdict = (await sources.judge([request], owner))[0]!;
  return { refusal: toRefusal(request, verdict), path: verdict.path };
}

/**
 * Returns the problem that a run with this environment could not use the place that the YAML names, for `validate`. Undefined if it could.
 */
export async function findRefusedPlace(owner: LedgerOwner, { env }: Host): Promise<Diagnostic | undefined> {
  const { ledger } = owner.configuration;
  if (!ledger || operatorLedgerPlace({}, { env }) !== undefined) return undefined;
  return (await judgeDeclaredPlace(ledger, owner)).refusal;
}
