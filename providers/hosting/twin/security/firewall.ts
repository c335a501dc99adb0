import type * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectOfQuery, projectQuery } from '../find-project.ts';
import { inEveryProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';
import { firewallEnvelope, type PutFirewall, putFirewallBody } from './firewall-body.ts';
import { applyEnvelope, applyPut } from './firewall-changes.ts';
import {
  activate,
  emptyConfig,
  type FirewallConfig,
  type FirewallState,
  readConfig,
} from './firewall-config.ts';

declare module '../account.ts' {
  interface ProjectParts {
    firewall: FirewallState;
  }
  interface ProjectSeed {
    firewall?: z.input<typeof seed>;
  }
}

/** Returns the live configuration. If none was ever written, null or an empty one (a switch). */
function liveConfig(call: Call, project: Project): FirewallConfig | null {
  const { active } = project.firewall;
  return active ?? (call.switches.firewallActiveNullUntilWritten ? null : emptyConfig(project));
}

/** Returns the configuration that the path names: the live one, the draft, or a version. Throws 404 if there is none. */
function findConfig(call: Call, project: Project): FirewallConfig {
  const { draft, versions } = project.firewall;
  const asked = call.params.configVersion!;
  const firewallConfig =
    asked === 'active'
      ? liveConfig(call, project)
      : asked === 'draft'
        ? draft
        : versions.find((version) => String(version.version) === asked);
  if (firewallConfig == null) throw notFound(`The firewall configuration ${asked}`);
  return firewallConfig;
}

/** Changes a copy of the live configuration and makes it live at once. */
function write(call: Call, project: Project, change: (config: FirewallConfig) => void): FirewallConfig {
  const state = project.firewall;
  const config = structuredClone(state.active ?? emptyConfig(project));
  change(config);
  return activate(state, config, call.time());
}

// Applies a change to the draft, which starts as a copy of the live configuration. The command line activates the draft afterwards.
const stageEnvelope = operation({ body: firewallEnvelope, query: projectQuery }, (call, _, envelope) => {
  const project = projectOfQuery(call);
  const state = project.firewall;
  const draft = structuredClone(state.draft ?? state.active ?? emptyConfig(project));
  applyEnvelope(call, draft, envelope);
  draft.changes = [...draft.changes, { ...envelope }];
  state.draft = draft;
  return {};
});

const written = putFirewallBody.partial({ firewallEnabled: true });
const seed = written.extend({ draft: written.optional() });

/** Returns the live configuration with the content of a seed written into it. */
function seeded(making: Making, project: Project, content: Partial<PutFirewall>): FirewallConfig {
  const config = structuredClone(project.firewall.active ?? emptyConfig(project));
  applyPut(making, config, { firewallEnabled: true, ...content }, false);
  return config;
}

/** A project's firewall: one configuration with its versions. A request writes the whole configuration or a single change. */
export const firewall: Resource = {
  ...inEveryProject(
    'firewall',
    { active: null, draft: null, versions: [] },
    seed,
    (making, { draft, ...live }, project) => {
      activate(project.firewall, seeded(making, project, live), making.time());
      if (draft !== undefined) project.firewall.draft = seeded(making, project, draft);
    },
  ),
  operations: {
    getSecurityFirewallConfig: operation({ on: projectOfQuery, query: projectQuery }, (call, project) => {
      const { draft, versions } = project.firewall;
      const active = liveConfig(call, project);
      return {
        active: active && readConfig(active, call.switches),
        draft: draft && readConfig(draft, call.switches),
        versions: versions.map((version) => readConfig(version, call.switches)),
      };
    }),
    getFirewallConfig: operation(
      { query: projectQuery, on: (call) => findConfig(call, projectOfQuery(call)) },
      (call, config) => readConfig(config, call.switches),
    ),
    updateFirewallConfig: operation({ body: firewallEnvelope, query: projectQuery }, (call, _, envelope) => {
      const project = projectOfQuery(call);
      write(call, project, (config) => applyEnvelope(call, config, envelope));
      if (call.switches.firewallPatchDropsDraft) project.firewall.draft = null;
      return {};
    }),
    putFirewallConfig: operation({ body: putFirewallBody, query: projectQuery }, (call, _, body) => {
      const keepOmitted = call.switches.firewallPutKeepsOmitted;
      const active = write(call, projectOfQuery(call), (config) => applyPut(call, config, body, keepOmitted));
      return { active: readConfig(active, call.switches) };
    }),
    deleteSecurityFirewallConfigByConfigVersion: operation(
      { on: projectOfQuery, query: projectQuery, statuses: [204] },
      (call, project) => {
        if (call.params.configVersion !== 'draft') throw badRequest('Only a draft can be deleted.');
        findConfig(call, project);
        project.firewall.draft = null;
      },
    ),
    createSecurityFirewallConfigByConfigVersionActivate: operation(
      { on: projectOfQuery, query: projectQuery },
      (call, project) => {
        const active = activate(project.firewall, findConfig(call, project), call.time());
        if (call.params.configVersion === 'draft') project.firewall.draft = null;
        return readConfig(active, call.switches);
      },
    ),
  },
  clientOperations: { 'PATCH /v1/security/firewall/config/draft': stageEnvelope },
};
