import {
  type ApiObject,
  type Draft,
  type Endpoint,
  type Request,
  request,
  type Step,
  type WholeDocument,
} from '#kind';
import { config, envelopeRequest } from './firewall-config.ts';
import { written } from './firewall-rule-form.ts';

const endpoint: Endpoint = 'PUT /v1/security/firewall/config?projectId={project}';

/**
 * All of a firewall that nobody has touched yet, by one PUT, which resets what it leaves out. Whether that is so is asked first. The PUT
 * wants `firewallEnabled`; a firewall that was never written is off.
 */
export const firewallDocument: WholeDocument = {
  doc: 'The firewall of a project created in the same plan is written in one request.',
  endpoint,
  write(steps): Draft {
    const of = (kind: string) => steps.get(kind) ?? [];
    const [rules, ips, rulesets] = [of('firewallRule'), of('firewallIp'), of('managedRuleset')];
    const body = {
      firewallEnabled: false,
      ...of('firewall')[0]?.fullBody,
      ...some('managedRules', byId(rulesets, 'id', { active: false })),
      ...some('crs', byId(of('coreRuleset'), 'code', { active: false, action: 'log' })),
      ...some(
        'rules',
        rules.map(({ fullBody }) => written(fullBody)),
      ),
      ...some(
        'ips',
        ips.map(({ fullBody }) => fullBody),
      ),
    };
    return {
      changes: [...steps.values()].flat().map(({ address }) => address),
      requests: [
        { ...request(config), expects: neverWritten },
        {
          ...request(endpoint, body),
          returns: [
            ...rules.map(({ address, fullBody: { name } }) => made(address, 'rules', { name })),
            ...ips.map(({ address, fullBody: { hostname, ip } }) => made(address, 'ips', { hostname, ip })),
          ],
        },
        ...rulesets.flatMap(groupsOf),
      ],
    };
  },
};

/** Until its first version a firewall reads as nothing, or as an empty one that counts none: which of the two is not documented. */
const neverWritten: Request['expects'] = [
  { path: ['versions'], value: [] },
  { path: ['active', 'version'], value: 0, orAbsent: true },
];

const made = (address: string, list: 'rules' | 'ips', members: ApiObject) => ({
  address,
  path: ['active', list, members, 'id'],
});

const some = (name: string, value: object): ApiObject =>
  Object.keys(value).length > 0 ? { [name]: value } : {};

const byId = (steps: Step[], id: string, usual: ApiObject): ApiObject =>
  Object.fromEntries(
    steps.map(({ fullBody: { [id]: name, groups: _, ...rest } }) => [String(name), { ...usual, ...rest }]),
  );

/**
 * The exceptions for groups, as requests of their own: the documentation does not say whether the PUT takes them in the form of
 * the envelope.
 */
const groupsOf = ({ fullBody: { id, groups } }: Step): Request[] =>
  groups === undefined ? [] : [envelopeRequest('managedRuleGroup.update', String(id), groups)];
