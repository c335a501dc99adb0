import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectOfQuery, projectQuery } from '../projects/project-by-id.ts';
import { parseBody } from '../validate.ts';
import { firewallEnvelope, putFirewallBody } from './firewall-body.ts';
import { applyEnvelope, applyPut } from './firewall-changes.ts';
import type { FirewallConfig } from './firewall-config.ts';
import { readConfig } from './firewall-read.ts';
import { activate, emptyConfig } from './firewall-versions.ts';

function liveConfig(call: Call, project: Project): FirewallConfig | null {
  const { active } = project.firewall;
  return active ?? (call.switches.firewallActiveNullUntilWritten ? null : emptyConfig(project));
}

function findConfig(call: Call, project: Project): FirewallConfig {
  const { draft, versions } = project.firewall;
  const asked = call.params.configVersion!;
  const found =
    asked === 'active'
      ? liveConfig(call, project)
      : asked === 'draft'
        ? draft
        : versions.find((one) => String(one.version) === asked);
  if (found == null) throw notFound(`The firewall configuration ${asked}`);
  return found;
}

/** Changes a copy of the live configuration and makes it live at once. */
function write(call: Call, change: (config: FirewallConfig) => void): FirewallConfig {
  const project = projectOfQuery(call);
  const state = project.firewall;
  const config = structuredClone(state.active ?? emptyConfig(project));
  change(config);
  return activate(state, config, call.time());
}

function patch(call: Call): unknown {
  const envelope = parseBody(firewallEnvelope, call.body, call.outside);
  write(call, (config) => applyEnvelope(call, config, envelope));
  if (call.switches.firewallPatchDropsDraft) projectOfQuery(call).firewall.draft = null;
  return {};
}

/** A project's firewall: versions of one configuration, written whole or by single changes. */
export const firewallHandlers: Handlers = {
  getSecurityFirewallConfig(call) {
    const project = projectOfQuery(call);
    const { draft, versions } = project.firewall;
    const active = liveConfig(call, project);
    return {
      active: active && readConfig(active, call.switches),
      draft: draft && readConfig(draft, call.switches),
      versions: versions.map((one) => readConfig(one, call.switches)),
    };
  },
  getFirewallConfig: (call) => readConfig(findConfig(call, projectOfQuery(call)), call.switches),
  updateFirewallConfig: patch,
  putFirewallConfig(call) {
    const body = parseBody(putFirewallBody, call.body, call.outside);
    const active = write(call, (config) =>
      applyPut(call, config, body, call.switches.firewallPutKeepsOmitted),
    );
    return { active: readConfig(active, call.switches) };
  },
  deleteSecurityFirewallConfigByConfigVersion(call) {
    const project = projectOfQuery(call);
    if (call.params.configVersion !== 'draft') throw badRequest('Only a draft can be deleted.');
    findConfig(call, project);
    project.firewall.draft = null;
    return new Answer(204);
  },
  createSecurityFirewallConfigByConfigVersionActivate(call) {
    const project = projectOfQuery(call);
    const active = activate(project.firewall, findConfig(call, project), call.time());
    if (call.params.configVersion === 'draft') project.firewall.draft = null;
    return readConfig(active, call.switches);
  },
};

/** The schemas of their request bodies. */
export const firewallBodies: Bodies = {
  updateFirewallConfig: firewallEnvelope,
  putFirewallConfig: putFirewallBody,
};

/** The query parameters that they read. */
export const firewallQueries: Queries = {
  getSecurityFirewallConfig: projectQuery,
  getFirewallConfig: projectQuery,
  updateFirewallConfig: projectQuery,
  putFirewallConfig: projectQuery,
  deleteSecurityFirewallConfigByConfigVersion: projectQuery,
  createSecurityFirewallConfigByConfigVersionActivate: projectQuery,
};
