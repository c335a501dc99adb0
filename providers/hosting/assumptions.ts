/*
 * What the twin assumes about the platform without a source, in sentences for users: manual pages and rehearsals show them.
 *
 * There is one assumption for each switch of `twin/switches.ts`. By default, a twin behaves as in the first position of each switch, so the
 * sentence says what the first position does. The comment of the switch explains both positions to developers, with their sources.
 */
import type { Assumption } from '#kind';
import type { SwitchName } from './twin/switches.ts';

/** The kinds that an assumption is about, and its sentence. */
type AssumptionText = readonly [kinds: readonly string[], statement: string];

const variables = ['projectEnvVar', 'sharedEnvVar'];
const firewallKinds = ['firewall', 'firewallRule', 'firewallIp', 'managedRuleset', 'coreRuleset'];

const textBySwitch: Record<SwitchName, AssumptionText> = {
  envTargetAsString: [['projectEnvVar'], 'A variable with one target reads with a list of targets.'],
  envListDuplicates: [['projectEnvVar'], 'The list of variables has each row once.'],
  envConflictStatus: [['projectEnvVar'], 'Overlapping targets of a variable are refused with 400.'],
  sensitiveValue: [variables, 'A sensitive variable reads with an empty value.'],
  policyMakesSensitive: [
    variables,
    'Under the policy of a team, a new variable becomes sensitive instead of being refused.',
  ],
  plainDecryptedFlag: [variables, 'A plain variable reads as decrypted.'],
  upsertOverlapping: [
    ['projectEnvVar'],
    'An upsert replaces only a row with the same targets, not one that shares some of them.',
  ],
  projectCursorAsString: [['project'], 'The next page of projects is named by a number.'],
  newProjectShowsEnv: [
    ['project', 'projectEnvVar'],
    'The creation of a project answers with the variables in its body.',
  ],
  projectReadIncomplete: [['project'], 'Reads of a project have all settings that can be written.'],
  projectInDefaultTeam: [
    ['project'],
    "Without a team in the request, a project is also looked for in the user's default team.",
  ],
  regionMirrored: [['project'], 'The first default region of functions also reads as their only region.'],
  retentionAbsentUntilWritten: [
    ['deploymentRetention'],
    'A retention that was never written reads without a limit.',
  ],
  projectDomainVerified: [['projectDomain'], 'A new domain of a project is verified at once.'],
  outsideDnsConfigured: [
    ['projectDomain', 'domain'],
    'The DNS of a domain whose zone is elsewhere points to the platform.',
  ],
  privateLinkAccepted: [['privateLink'], 'The owner of a service in AWS does not accept a private link.'],
  redirectDefaultStatus: [['projectDomain'], 'A redirect without a status code reads without one.'],
  domainInUseStatus: [['projectDomain', 'domain'], 'A domain that is in use is refused with 409.'],
  domainZoneReadable: [['domain'], 'A domain reads with `zone` and `cdnEnabled`.'],
  domainDeleteCascades: [
    ['domain', 'projectDomain'],
    'A domain cannot be deleted while projects use names below it.',
  ],
  systemRecords: [['domain', 'dnsRecord'], 'A new domain starts with the records of the platform.'],
  hostDot: [['dnsRecord'], 'Targets of CNAME and MX records read with a dot at the end.'],
  apexName: [['dnsRecord'], 'A record of the domain itself reads with an empty name.'],
  srvRead: [['dnsRecord'], 'An SRV record reads as one text.'],
  httpsRead: [['dnsRecord'], 'An HTTPS record reads as one text.'],
  caaQuotes: [['dnsRecord'], 'The list shows a CAA value in quotes only if it has spaces.'],
  caaQuotesById: [['dnsRecord'], 'A CAA record that is read by its id shows its value in quotes.'],
  recordByIdType: [['dnsRecord'], 'A record that is read by its id has its DNS type in `type`.'],
  recordTypeChangeable: [['dnsRecord'], 'The type of a record cannot be changed.'],
  untilInclusive: [
    ['alias', 'deployment', 'domain', 'dnsRecord', 'team', 'teamMember'],
    'The item at the boundary of two pages comes only once.',
  ],
  firewallActiveNullUntilWritten: [firewallKinds, 'A firewall that was never written reads as null.'],
  managedGroupsReadable: [['managedRuleset'], 'The rules of a managed group can be read.'],
  exValue: [['firewallRule'], 'A condition about existence reads with an empty value.'],
  crsInactiveAbsent: [['coreRuleset'], 'Core rules that are off are in the answer.'],
  firewallPutKeepsOmitted: [firewallKinds, 'A PUT of the firewall resets what its body leaves out.'],
  firewallPatchDropsDraft: [firewallKinds, 'A PATCH of the firewall keeps a pending draft.'],
  attackModeExpiredReadable: [['attackMode'], 'After its deadline, the attack mode reads as disabled.'],
  attackModeNeedsDeadline: [['attackMode'], 'The attack mode can be turned on without a deadline.'],
  rollingReleaseLastStageApproval: [
    ['rollingRelease'],
    'The last stage of a rolling release reads without an approval.',
  ],
  microfrontendsGroupDeleteTakesOut: [
    ['microfrontendsGroup', 'microfrontendsProject'],
    'A group that is deleted lets its projects go.',
  ],
  stagedVersionRenewed: [
    ['bulkRedirects', 'projectRoute'],
    'A further write to a staged version keeps the id of the version.',
  ],
  redirectsReadStaged: [['bulkRedirects'], 'Redirects that are read without a version are the live ones.'],
  bulkRedirectsNormalized: [['bulkRedirects'], 'Redirects read as they were written.'],
  routesReadStaged: [['projectRoute'], 'Routes that are read without a version are the staged ones.'],
  routesPutKeepsRead: [
    ['projectRoute'],
    'A PUT of routes takes the members that reads show beyond the documented body.',
  ],
  memberNotFoundStatus: [
    ['accessGroupMember'],
    'An access group refuses a user who is not in the team with 400.',
  ],
  memberPropagationTries: [
    ['accessGroupMember', 'projectMember'],
    'The first two requests that name a new member of the team are refused.',
  ],
  flagMismatchStatus: [['featureFlag'], 'A flag that was changed in the meantime is refused with 412.'],
  flagUnchangedNotModified: [['featureFlag'], 'An update that changes nothing makes a new revision.'],
  flagSettingsAbsentUntilWritten: [
    ['featureFlagSettings'],
    'Settings that were never written read as disabled.',
  ],
  drainSecretMasked: [['drain'], 'The secret of a drain can be read again.'],
  globalConfigSlugsUnique: [['globalConfig'], 'A second global config with the same slug is refused.'],
  globalConfigDeletedListed: [['globalConfig'], 'A deleted global config is not in the list.'],
  globalConfigMissingItem: [['globalConfigItem'], 'Reading an item that does not exist answers 204.'],
  globalConfigDeleteIgnoresMissing: [
    ['globalConfigItem'],
    'Deleting an item that does not exist refuses the whole batch.',
  ],
  globalConfigSchemaWrapped: [
    ['globalConfigSchema'],
    'The schema of a global config reads as it was written.',
  ],
  globalConfigTokenReadable: [['globalConfigToken'], 'The value of a token can be read again.'],
  archivedBudgetStays: [
    ['aiGatewayBudget', 'aiGatewayBudgetDefault'],
    'A budget that is written after its removal is the same row again.',
  ],
  deletedRuleListed: [['aiGatewayRule'], 'A deleted rule is not in the list.'],
  bypassDefaultUnsaid: [['protectionBypass'], 'The default bypass of a project reads with `isEnvVar: true`.'],
  bypassEmptyNoteReadable: [['protectionBypass'], 'An empty note of a bypass reads back.'],
  sharedEnvConflictAlone: [
    ['sharedEnvVar'],
    'A conflict of the only variable in a request is refused with 409.',
  ],
  sharedEnvInProjectList: [
    ['sharedEnvVar', 'sharedEnvLink', 'projectEnvVar'],
    "A project's list of variables has only its own ones.",
  ],
  sharedEnvListDecrypted: [['sharedEnvVar'], 'The list of shared variables has no values in the clear.'],
  authTokenForm: [['authToken'], 'A token reads with the type `token`.'],
  authTokenProjectReadable: [['authToken'], 'A token of one project reads without the project.'],
  errorBodyUnwrapped: [[], 'An error is an object in `error`.'],
};

/** All assumptions of the twin. The id of each is the name of its switch. */
export const assumptions: readonly Assumption[] = Object.entries(textBySwitch).map(
  ([id, [kinds, statement]]) => ({ id, kinds, statement }),
);
