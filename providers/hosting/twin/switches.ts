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
  projectDomainVerified: true,
  redirectDefaultStatus: 307,
  domainDeleteCascades: false,
  systemRecords: false,
  hostDot: true,
  apexName: '',
  srvRead: 'string',
  httpsRead: 'string',
  caaQuotes: false,
  recordByIdType: 'dns',
  recordTypeChangeable: false,
  untilInclusive: false,
  firewallActiveNullUntilWritten: true,
  managedGroupsReadable: true,
  exValue: '',
  crsInactiveAbsent: false,
  firewallPutKeepsOmitted: false,
  firewallPatchDropsDraft: false,
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
  projectDomainVerified: false,
  redirectDefaultStatus: null,
  domainDeleteCascades: true,
  systemRecords: true,
  hostDot: false,
  apexName: '@',
  srvRead: 'object',
  httpsRead: 'object',
  caaQuotes: true,
  recordByIdType: 'record',
  recordTypeChangeable: true,
  untilInclusive: true,
  firewallActiveNullUntilWritten: false,
  managedGroupsReadable: false,
  exValue: null,
  crsInactiveAbsent: true,
  firewallPutKeepsOmitted: true,
  firewallPatchDropsDraft: true,
  errorBodyUnwrapped: true,
};
