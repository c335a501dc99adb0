/**
 * The positions of each switch. A switch is a behaviour of the real platform that no source confirms, or about which sources differ. A
 * client must work under both positions.
 *
 * The first position is the most likely one, and the default. The second is that of `otherSwitches`. The comment of a switch with true and
 * false says what true means. `../assumptions.ts` says what the first position does, in a sentence for users: change both together.
 */
const positions = {
  /** A variable with one target reads back `target: "production"` instead of an array. */
  envTargetAsString: [false, true],
  /** The list of variables contains one row twice. */
  envListDuplicates: [false, true],
  /** Overlapping targets answer 400 ENV_CONFLICT, or 409 with another code and without the details. */
  envConflictStatus: [400, 409],
  /** The value of a sensitive variable in a read: an empty string, or no member at all. */
  sensitiveValue: ['', 'absent'],
  /**
   * Under the team's policy, new variables outside development become sensitive (documentation, command line); otherwise other types are
   * refused (Terraform provider).
   */
  policyMakesSensitive: [true, false],
  /** Plain variables, always in the clear, say `decrypted: true`. */
  plainDecryptedFlag: [true, false],
  /** POST ?upsert=true overwrites a row that shares some of the targets, not only one with the same set. */
  upsertOverlapping: [false, true],
  /** Integer project cursors become opaque strings. */
  projectCursorAsString: [false, true],
  /**
   * The creation of a project answers with the variables in its body (the SDK has the member, optional); otherwise only their list has
   * them.
   */
  newProjectShowsEnv: [true, false],
  /** previewDeploymentSuffix, previewDeploymentsDisabled, serverlessFunctionRegion are not in reads. */
  projectReadIncomplete: [false, true],
  /**
   * Without a team, a project is also looked for in the user's default team: by name where it is read, by id everywhere (Terraform
   * provider).
   */
  projectInDefaultTeam: [true, false],
  /** The first region of functionDefaultRegions reads back as serverlessFunctionRegion, too (Terraform provider). */
  regionMirrored: [true, false],
  /**
   * A project whose retention was never written reads without it (Terraform provider); otherwise without a limit, since the SDK needs it.
   */
  retentionAbsentUntilWritten: [false, true],
  /** A new project domain is verified at once; otherwise only after the verify action. */
  projectDomainVerified: [true, false],
  /** The DNS of a domain whose zone the platform does not keep points to the platform; otherwise no domain of it serves. */
  outsideDnsConfigured: [true, false],
  /** The owner of a service in AWS accepts each private link a minute after its creation has ended; otherwise never. */
  privateLinkAccepted: [false, true],
  /** The status that reads back for a redirect declared without one (Terraform provider: null). */
  redirectDefaultStatus: [null, 307],
  /** The status of a refusal of a domain that is in use: documented, or as clients have also seen it. */
  domainInUseStatus: [409, 400],
  /** A domain reads with `zone` and `cdnEnabled` (Terraform provider); otherwise without them, as the SDK has it. */
  domainZoneReadable: [true, false],
  /** Deleting a domain also removes the project domains under it; otherwise it answers 409 domain_removal_conflict. */
  domainDeleteCascades: [false, true],
  /** A domain that is added by a request starts with the records of the platform (`creator: system`; dnscontrol). */
  systemRecords: [true, false],
  /** CNAME and MX targets carry a trailing dot on the list. */
  hostDot: [true, false],
  /** The name of a record at the zone's apex, on the list. */
  apexName: ['', '@'],
  /** SRV on the list: packed into `value`, or an `srv` object without `value`. */
  srvRead: ['string', 'object'],
  /** HTTPS on the list: packed into `value`, or an `https` object without `value`. */
  httpsRead: ['string', 'object'],
  /** A CAA value is quoted on the list; otherwise only where it holds spaces. */
  caaQuotes: [false, true],
  /** A CAA value is quoted where a record is read by its id (Terraform provider); otherwise as on the list. */
  caaQuotesById: [true, false],
  /** Member `type` of a record read by its id: the DNS type (the SDK says so), or record / record-sys (others do). */
  recordByIdType: ['dns', 'record'],
  /** PATCH may change a record's type. */
  recordTypeChangeable: [false, true],
  /** `until` is inclusive: the boundary item comes on both pages. */
  untilInclusive: [false, true],
  /** A project whose firewall was never written has `active: null`; otherwise an empty default. */
  firewallActiveNullUntilWritten: [true, false],
  /** The rules of a managed group are readable as `managedRules.<id>.rules`; otherwise nowhere. */
  managedGroupsReadable: [true, false],
  /** The value of an ex / nex condition on read. */
  exValue: ['', null, 'absent'],
  /** CRS entries that are off are left out on read. */
  crsInactiveAbsent: [false, true],
  /** PUT of the firewall keeps members that the body leaves out; otherwise they are reset. */
  firewallPutKeepsOmitted: [false, true],
  /** PATCH of the firewall drops a pending draft. */
  firewallPatchDropsDraft: [false, true],
  /** After its deadline an attack mode still reads as enabled, with the deadline; otherwise as disabled without one. */
  attackModeExpiredReadable: [false, true],
  /** An attack mode cannot be turned on without a deadline; the SDK has a body without one. */
  attackModeNeedsDeadline: [false, true],
  /** With manual approval the last stage of a rolling release, too, reads `requireApproval: true`. */
  rollingReleaseLastStageApproval: [false, true],
  /** A microfrontends group that is deleted lets its projects go, as the command line says; otherwise they leave it first. */
  microfrontendsGroupDeleteTakesOut: [true, false],
  /** A write to redirects or routes that are staged already makes a staged version with another id. */
  stagedVersionRenewed: [false, true],
  /** Redirects read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  redirectsReadStaged: [false, true],
  /** Redirects read with a status code and the defaults filled in, without `permanent`; otherwise as written. */
  bulkRedirectsNormalized: [false, true],
  /** Routes read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  routesReadStaged: [true, false],
  /** PUT of routes minds rawSrc, rawDest, srcSyntax and staged, as they were read; otherwise only the documented body. */
  routesPutKeepsRead: [true, false],
  /** The status of member_not_found, when an access group is to have a user who is not in the team. */
  memberNotFoundStatus: [400, 404],
  /** The number of requests naming a member who has just joined that are refused with member_not_found. */
  memberPropagationTries: [2, 0] as readonly [number, number],
  /** The status when If-Match does not fit a feature flag: HTTP's own, or the one that is documented. */
  flagMismatchStatus: [412, 409],
  /** PATCH of a feature flag that changes nothing answers 304 without a body; otherwise it makes a new revision. */
  flagUnchangedNotModified: [false, true],
  /** Feature flag settings that were never written answer 404; otherwise they read as disabled. */
  flagSettingsAbsentUntilWritten: [false, true],
  /** A drain's secret reads back only from its creation, and as `{kind: 'INTEGRATION_SECRET'}` later; otherwise always. */
  drainSecretMasked: [false, true],
  /** A second global config with the same slug is refused (409). */
  globalConfigSlugsUnique: [true, false],
  /** A deleted global config stays in the list, with `deletedAt`. */
  globalConfigDeletedListed: [false, true],
  /** The status for reading an item that is not there. */
  globalConfigMissingItem: [204, 404],
  /** Deleting an item that is not there is done; otherwise it refuses the whole batch (404). */
  globalConfigDeleteIgnoresMissing: [false, true],
  /** A global config's schema is answered as `{definition}`; otherwise as it is. */
  globalConfigSchemaWrapped: [false, true],
  /** Tokens of a global config read back with their value, as they used to. */
  globalConfigTokenReadable: [true, false],
  /** A budget that is written after it was removed is a new row beside the archived one; otherwise that one again. */
  archivedBudgetStays: [false, true],
  /** A deleted rule of the gateway stays in the list, with `deleted: true`. */
  deletedRuleListed: [false, true],
  /** The default bypass of a project reads without `isEnvVar`, as older ones do (SDK); otherwise with true. */
  bypassDefaultUnsaid: [false, true],
  /** An empty note of a bypass reads back (Terraform provider); otherwise there is then none. */
  bypassEmptyNoteReadable: [true, false],
  /** A conflict of the only shared variable in a request is its error; otherwise an entry of `failed`, as among others. */
  sharedEnvConflictAlone: [409, 'failed'],
  /** A project's list of variables has the shared ones that are linked to it, too; they cannot be written there. */
  sharedEnvInProjectList: [false, true],
  /** The list of shared variables has encrypted values in the clear. */
  sharedEnvListDecrypted: [false, true],
  /** A token reads `type: "token"` with `teamId` (Terraform provider); otherwise `oauth2-token` without it, as it used to. */
  authTokenForm: ['token', 'oauth2-token'],
  /** A token of one project reads with its `projectId`: the documentation has no such member, the Terraform provider reads it. */
  authTokenProjectReadable: [false, true],
  /** The error object comes bare, without `{error: ...}` around it. */
  errorBodyUnwrapped: [false, true],
} as const;

/** The name of a switch. */
export type SwitchName = keyof typeof positions;

/** One of the positions for each switch. */
type Positions = {
  -readonly [Name in keyof typeof positions]: (typeof positions)[Name][number];
};

/** How a twin behaves: one position for each switch, and how long some work takes. */
export type Switches = Positions & Delays;

/** How long the platform takes for some work, and whether it fails. By default all work is done, and can be read, at once. */
interface Delays {
  /** For so many seconds after a write, the items of a global config read as they were before it. */
  globalConfigReadSeconds?: number;
  /** The duration of the build of a new deployment, in seconds, if the seed does not set it (`builds`, see motion.ts). */
  buildSeconds?: number;
  /** True if builds of new deployments fail, unless the seed decides that (`builds`). */
  buildFails?: boolean;
}

/** Returns all switches in their first or in their second position. */
const allInPosition = (index: 0 | 1) =>
  Object.fromEntries(Object.entries(positions).map(([name, choices]) => [name, choices[index]])) as Positions;

/** The most likely position of each switch. */
export const defaultSwitches: Switches = allInPosition(0);

/** The other position of each switch, for tests that run under both. */
export const otherSwitches: Switches = allInPosition(1);
