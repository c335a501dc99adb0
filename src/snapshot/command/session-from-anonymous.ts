/*
 * Opens the session of a stack from an anonymous snapshot, which also has the configuration, so no file is read.
 */

import type { Port } from '../../app/port.ts';
import { createSources } from '../../app/session/load-configuration.ts';
import type { OpenOptions } from '../../app/session/open-session.ts';
import type { Session } from '../../app/session/session.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Desired } from '../../model/resource.ts';
import { type EmbeddedConfiguration, restoreDesired } from '../anonymous/embedded.ts';
import type { StackPart } from '../snapshot.ts';
import { createPartSession } from './create-part-session.ts';

/**
 * Opens the session of a stack (what planning needs of it) for `plan --from` with an anonymous snapshot. The configuration, with
 * pseudonyms, is in `part`, the stack's part of the snapshot, so no file of a configuration is read.
 */
export function openSessionFromAnonymous(
  provider: Provider,
  options: StackOptions,
  port: Port,
  part: StackPart & { configuration: EmbeddedConfiguration },
  { accounts }: OpenOptions,
): Session {
  const { desired: embedded, diagnostics, origins, allowLive, siblings } = part.configuration;
  const desired = restoreDesired(embedded);
  return {
    ...createPartSession(provider, port, part, { accounts, knownSecrets: part.secrets }),
    desired,
    origins: new Map(origins),
    allowLive: new Set(allowLive),
    diagnostics: [...diagnostics],
    siblings: siblings.map((sibling) => ({ ...sibling, desired: restoreDesired(sibling.desired) })),
    configuration: withoutFiles(desired),
    sources: createSources(options, port.run.host),
  };
}

/**
 * Returns a configuration with these desired objects as if it was read from no file, because an anonymous snapshot has no files. Reports
 * look in it for what the files of a configuration declare beside the objects, and find nothing.
 */
const withoutFiles = (desired: Desired): Configuration => ({
  desired,
  files: [],
  fileDependencies: [],
  stages: [],
  secrets: new Map(),
  usedSecrets: new Set(),
  missingVariables: [],
  variableOrigins: new Map(),
  writtenStack: desired.stack,
  notAllowed: [],
  diagnostics: [],
});
