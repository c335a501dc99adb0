/** Behaviours of the real platform that no source confirms. A client must work under every setting. */
export interface Switches {
  /** A variable with one target reads back `target: "production"` in place of an array. */
  envTargetAsString: boolean;
  /** The list of variables contains one row twice. */
  envListDuplicates: boolean;
  /** Overlapping targets answer 400 ENV_CONFLICT, or 409 with another code and without the details. */
  envConflictStatus: 400 | 409;
  /** How a sensitive variable's value is kept back: an empty string, or no member at all. */
  sensitiveValue: '' | 'absent';
  /** Plain variables, always in the clear, say `decrypted: true`. */
  plainDecryptedFlag: boolean;
  /** POST ?upsert=true overwrites a row that shares some of the targets, not only one with the same set. */
  upsertOverlapping: boolean;
  /** Integer project cursors become opaque strings. */
  projectCursorAsString: boolean;
  /** publicSource, previewDeploymentSuffix, previewDeploymentsDisabled, serverlessFunctionRegion are not in reads. */
  projectReadIncomplete: boolean;
  /** A project that is read without a team is also looked for in the user's default team (Terraform provider). */
  projectInDefaultTeam: boolean;
  /** The first region of functionDefaultRegions reads back as serverlessFunctionRegion, too (Terraform provider). */
  regionMirrored: boolean;
  /** A new project domain is verified at once; otherwise only after the verify action. */
  projectDomainVerified: boolean;
  /** The status that reads back for a redirect declared without one. */
  redirectDefaultStatus: 307 | null;
  /** Deleting a domain also removes the project domains under it; otherwise it answers 409 domain_removal_conflict. */
  domainDeleteCascades: boolean;
  /** A new domain starts with the platform's own records (creator system). */
  systemRecords: boolean;
  /** CNAME and MX targets carry a trailing dot on the list. */
  hostDot: boolean;
  /** The name of a record at the zone's apex, on the list. */
  apexName: '' | '@';
  /** SRV on the list: packed into `value`, or an `srv` object without `value`. */
  srvRead: 'string' | 'object';
  /** HTTPS on the list: packed into `value`, or an `https` object without `value`. */
  httpsRead: 'string' | 'object';
  /** A CAA value is quoted on the list; otherwise only where it holds spaces. */
  caaQuotes: boolean;
  /** A CAA value is quoted where a record is read by its id (Terraform provider); otherwise as on the list. */
  caaQuotesById: boolean;
  /** Member `type` of a record read by its id: the DNS type (the SDK says so), or record / record-sys (others do). */
  recordByIdType: 'dns' | 'record';
  /** PATCH may change a record's type. */
  recordTypeChangeable: boolean;
  /** `until` is inclusive: the boundary item comes on both pages. */
  untilInclusive: boolean;
  /** A project whose firewall was never written has `active: null`; otherwise an empty default. */
  firewallActiveNullUntilWritten: boolean;
  /** The rules of a managed group are readable as `managedRules.<id>.rules`; otherwise nowhere. */
  managedGroupsReadable: boolean;
  /** The value of an ex / nex condition on read. */
  exValue: '' | null | 'absent';
  /** CRS entries that are off are left out on read. */
  crsInactiveAbsent: boolean;
  /** PUT of the firewall keeps members that the body leaves out; otherwise they are reset. */
  firewallPutKeepsOmitted: boolean;
  /** PATCH of the firewall drops a pending draft. */
  firewallPatchDropsDraft: boolean;
  /** After its deadline an attack mode still reads as enabled, with the deadline; otherwise as disabled without one. */
  attackModeExpiredReadable: boolean;
  /** An attack mode cannot be turned on without a deadline; the SDK has a body without one. */
  attackModeNeedsDeadline: boolean;
  /** With manual approval the last stage of a rolling release, too, reads `requireApproval: true`. */
  rollingReleaseLastStageApproval: boolean;
  /** A write to redirects or routes that are staged already makes a staged version with another id. */
  stagedVersionRenewed: boolean;
  /** Redirects read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  redirectsReadStaged: boolean;
  /** Redirects read with a status code and the defaults filled in, without `permanent`; otherwise as written. */
  bulkRedirectsNormalized: boolean;
  /** Routes read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  routesReadStaged: boolean;
  /** PUT of routes minds rawSrc, rawDest, srcSyntax and staged, as they were read; otherwise only the documented body. */
  routesPutKeepsRead: boolean;
  /** The status of member_not_found, when an access group is to have a user who is not in the team. */
  memberNotFoundStatus: 400 | 404;
  /** How many requests that name a member who has just joined are refused with member_not_found. */
  memberPropagationTries: number;
  /** The status when If-Match does not fit a feature flag: HTTP's own, or the one that is documented. */
  flagMismatchStatus: 412 | 409;
  /** PATCH of a feature flag that changes nothing answers 304 without a body; otherwise it makes a new revision. */
  flagUnchangedNotModified: boolean;
  /** Feature flag settings that were never written answer 404; otherwise they read as disabled. */
  flagSettingsAbsentUntilWritten: boolean;
  /** A drain's secret reads back only from its creation, and as `{kind: 'INTEGRATION_SECRET'}` later; otherwise always. */
  drainSecretMasked: boolean;
  /** A second global config with the same slug is refused (409). */
  globalConfigSlugsUnique: boolean;
  /** A deleted global config stays in the list, with `deletedAt`. */
  globalConfigDeletedListed: boolean;
  /** What reading an item answers that is not there. */
  globalConfigMissingItem: 204 | 404;
  /** Deleting an item that is not there is done; otherwise it refuses the whole batch (404). */
  globalConfigDeleteIgnoresMissing: boolean;
  /** A global config's schema is answered as `{definition}`; otherwise as it is. */
  globalConfigSchemaWrapped: boolean;
  /** Tokens of a global config read back with their value, as they used to. */
  globalConfigTokenReadable: boolean;
  /** A budget that is written after it was removed is a new row beside the archived one; otherwise that one again. */
  archivedBudgetStays: boolean;
  /** A deleted rule of the gateway stays in the list, with `deleted: true`. */
  deletedRuleListed: boolean;
  /** The default bypass of a project reads without `isEnvVar`, as older ones do (SDK); otherwise with true. */
  bypassDefaultUnsaid: boolean;
  /** An empty note of a bypass reads back (Terraform provider); otherwise there is then none. */
  bypassEmptyNoteReadable: boolean;
  /** A conflict of the only shared variable in a request is its error; otherwise an entry of `failed`, as among others. */
  sharedEnvConflictAlone: 409 | 'failed';
  /** A project's list of variables has the shared ones that are linked to it, too; they cannot be written there. */
  sharedEnvInProjectList: boolean;
  /** The list of shared variables has encrypted values in the clear. */
  sharedEnvListDecrypted: boolean;
  /** The error object comes bare, without `{error: ...}` around it. */
  errorBodyUnwrapped: boolean;
}

/** What the evidence makes most likely. */
export const defaultSwitches: Switches = {
  envTargetAsString: false,
  envListDuplicates: false,
  envConflictStatus: 400,
  sensitiveValue: '',
  plainDecryptedFlag: true,
  upsertOverlapping: false,
  projectCursorAsString: false,
  projectReadIncomplete: false,
  projectInDefaultTeam: true,
  regionMirrored: true,
  projectDomainVerified: true,
  redirectDefaultStatus: 307,
  domainDeleteCascades: false,
  systemRecords: false,
  hostDot: true,
  apexName: '',
  srvRead: 'string',
  httpsRead: 'string',
  caaQuotes: false,
  caaQuotesById: true,
  recordByIdType: 'dns',
  recordTypeChangeable: false,
  untilInclusive: false,
  firewallActiveNullUntilWritten: true,
  managedGroupsReadable: true,
  exValue: '',
  crsInactiveAbsent: false,
  firewallPutKeepsOmitted: false,
  firewallPatchDropsDraft: false,
  attackModeExpiredReadable: false,
  attackModeNeedsDeadline: false,
  rollingReleaseLastStageApproval: false,
  stagedVersionRenewed: false,
  redirectsReadStaged: false,
  bulkRedirectsNormalized: false,
  routesReadStaged: true,
  routesPutKeepsRead: true,
  memberNotFoundStatus: 400,
  memberPropagationTries: 2,
  flagMismatchStatus: 412,
  flagUnchangedNotModified: false,
  flagSettingsAbsentUntilWritten: false,
  drainSecretMasked: false,
  globalConfigSlugsUnique: true,
  globalConfigDeletedListed: false,
  globalConfigMissingItem: 204,
  globalConfigDeleteIgnoresMissing: false,
  globalConfigSchemaWrapped: false,
  globalConfigTokenReadable: true,
  archivedBudgetStays: false,
  deletedRuleListed: false,
  bypassDefaultUnsaid: false,
  bypassEmptyNoteReadable: true,
  sharedEnvConflictAlone: 409,
  sharedEnvInProjectList: false,
  sharedEnvListDecrypted: false,
  errorBodyUnwrapped: false,
};

/** Every switch the other way, for tests that run under both. */
export const otherSwitches: Switches = {
  envTargetAsString: true,
  envListDuplicates: true,
  envConflictStatus: 409,
  sensitiveValue: 'absent',
  plainDecryptedFlag: false,
  upsertOverlapping: true,
  projectCursorAsString: true,
  projectReadIncomplete: true,
  projectInDefaultTeam: false,
  regionMirrored: false,
  projectDomainVerified: false,
  redirectDefaultStatus: null,
  domainDeleteCascades: true,
  systemRecords: true,
  hostDot: false,
  apexName: '@',
  srvRead: 'object',
  httpsRead: 'object',
  caaQuotes: true,
  caaQuotesById: false,
  recordByIdType: 'record',
  recordTypeChangeable: true,
  untilInclusive: true,
  firewallActiveNullUntilWritten: false,
  managedGroupsReadable: false,
  exValue: null,
  crsInactiveAbsent: true,
  firewallPutKeepsOmitted: true,
  firewallPatchDropsDraft: true,
  attackModeExpiredReadable: true,
  attackModeNeedsDeadline: true,
  rollingReleaseLastStageApproval: true,
  stagedVersionRenewed: true,
  redirectsReadStaged: true,
  bulkRedirectsNormalized: true,
  routesReadStaged: false,
  routesPutKeepsRead: false,
  memberNotFoundStatus: 404,
  memberPropagationTries: 0,
  flagMismatchStatus: 409,
  flagUnchangedNotModified: true,
  flagSettingsAbsentUntilWritten: true,
  drainSecretMasked: true,
  globalConfigSlugsUnique: false,
  globalConfigDeletedListed: true,
  globalConfigMissingItem: 404,
  globalConfigDeleteIgnoresMissing: true,
  globalConfigSchemaWrapped: true,
  globalConfigTokenReadable: false,
  archivedBudgetStays: true,
  deletedRuleListed: true,
  bypassDefaultUnsaid: true,
  bypassEmptyNoteReadable: false,
  sharedEnvConflictAlone: 'failed',
  sharedEnvInProjectList: true,
  sharedEnvListDecrypted: true,
  errorBodyUnwrapped: true,
};
