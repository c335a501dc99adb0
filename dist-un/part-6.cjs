"use strict";const part_545GNIII=(()=>{require("./part-13.cjs").part_AQ5AAHW5;require("./part-90.cjs").part_TFHCOW53;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_FPYB5ZPS;const {
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { X509Certificate }=require("node:crypto");;
;
;
;
;
;
;
;
;
;
;
;
;

// providers/hosting/foreign/attributes.ts
var Attributes = class _Attributes {
  #values;
  #path;
  #notes;
  #taken = /* @__PURE__ */ new Set();
  #inner = [];
  constructor(values, path, notes) {
    this.#values = values;
    this.#path = path;
    this.#notes = notes;
  }
  static of({ attributes, sensitive }) {
    return new _Attributes(attributes, "", { secrets: [], left: [], sensitive });
  }
  /** The value of one; undefined, and noted as a secret, where Terraform keeps it as one. */
  take(name) {
    this.#taken.add(name);
    const value = this.#values[name] ?? void 0;
    if (value === void 0 || !this.#isSensitive(name)) return value;
    this.#notes.secrets.push(this.#at(name));
    return void 0;
  }
  text(name) {
    const value = this.take(name);
    return value === void 0 ? void 0 : String(value);
  }
  texts(name) {
    const value = this.take(name);
    return Array.isArray(value) ? value.map(String) : void 0;
  }
  /** These under the names that the platform has for them: those that are set. */
  renamed(names) {
    const all = Object.entries(names).map(([from, to]) => [to, this.take(from)]);
    return Object.fromEntries(all.filter(([, value]) => value !== void 0));
  }
  /** The attributes of a block. Of what is sensitive as a whole only the members that are asked for are read. */
  inner(name) {
    return this.items(name)[0];
  }
  /** The same of a list or a set of blocks. */
  items(name) {
    this.#taken.add(name);
    const found = [this.#values[name] ?? []].flat().filter(isPlainObject);
    const made = found.map(
      (values, index) => new _Attributes(values, `${this.#at(name)}${found.length > 1 ? `.${index}` : ""}`, this.#notes)
    );
    this.#inner.push(...made);
    return made;
  }
  /** Not taken over on purpose, and nothing is lost: ids, times, what the platform works out. */
  skip(...names) {
    for (const name of names) this.#taken.add(name);
  }
  /** A secret: it stays where it is, and `as` is told if it is set. */
  secret(name, as = this.#at(name)) {
    this.#taken.add(name);
    if (isSet(this.#values[name])) this.#notes.secrets.push(as);
  }
  leave(sentence) {
    this.#notes.left.push(sentence);
  }
  /** The result, once all of the resource was read. */
  reading(objects) {
    const { secrets, left } = this.#notes;
    const untaken = this.#untaken().map((path) => `\`${path}\` cannot be declared here`);
    return { objects, secrets, left: [...left, ...untaken] };
  }
  #untaken() {
    const own = Object.keys(this.#values).filter((name) => !this.#taken.has(name) && isSet(this.#values[name])).map((name) => this.#at(name));
    return [...own, ...this.#inner.flatMap((one) => one.#untaken())];
  }
  #at(name) {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
  #isSensitive(name) {
    const at = this.#at(name);
    return this.#notes.sensitive.some((path) => path === at || path.startsWith(`${at}.`));
  }
};
var isSet = (value) => Array.isArray(value) ? value.some(isSet) : isPlainObject(value) ? Object.values(value).some(isSet) : value !== void 0 && value !== null && value !== "" && value !== false;
var present = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== void 0));
function json(value) {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

// providers/hosting/foreign/certificate.ts
;
function customCertificate(of) {
  of.skip("team_id", "certificate_authority_certificate");
  of.secret("private_key");
  const cns = namesIn(of.text("certificate"));
  if (cns.length === 0) {
    of.leave("`certificate` cannot be read, so its names are unknown");
    return of.reading([]);
  }
  const object = { ...of.renamed({ id: "id" }), cns, autoRenew: false };
  return of.reading([{ kind: "certificate", object }]);
}
function namesIn(pem) {
  try {
    const { subjectAltName = "" } = new X509Certificate(pem ?? "");
    return [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name);
  } catch {
    return [];
  }
}

// providers/hosting/foreign/variables.ts
function variable(of, project2) {
  const key = of.text("key");
  of.secret("value", key);
  of.skip("value_wo", "value_wo_version", "team_id", "project_id");
  return {
    kind: "projectEnvVar",
    in: { kind: "project", id: project2 },
    object: present({
      id: of.text("id"),
      key,
      type: of.take("sensitive") === true ? "sensitive" : "encrypted",
      target: of.texts("target") ?? [],
      customEnvironmentIds: of.texts("custom_environment_ids"),
      gitBranch: of.text("git_branch"),
      comment: of.text("comment"),
      visibility: of.text("visibility")
    })
  };
}
function oneVariable(of) {
  const project2 = of.text("project_id");
  return of.reading([variable(of, project2)]);
}
function severalVariables(of) {
  const project2 = of.text("project_id");
  of.skip("team_id", "id");
  return of.reading(of.items("variables").map((one) => variable(one, project2)));
}
function sharedVariable(of) {
  const key = of.text("key");
  of.secret("value", key);
  of.skip("value_wo", "value_wo_version", "team_id");
  return of.reading([
    {
      kind: "sharedEnvVar",
      object: present({
        id: of.text("id"),
        key,
        type: of.take("sensitive") === true ? "sensitive" : "encrypted",
        target: of.texts("target") ?? [],
        projectId: of.texts("project_ids"),
        comment: of.text("comment"),
        applyToAllCustomEnvironments: of.take("apply_to_all_custom_environments")
      })
    }
  ]);
}

// providers/hosting/foreign/project.ts
var same = {
  auto_assign_custom_domains: "autoAssignCustomDomains",
  automatically_expose_system_environment_variables: "autoExposeSystemEnvs",
  build_command: "buildCommand",
  customer_success_code_visibility: "customerSupportCodeVisibility",
  dev_command: "devCommand",
  directory_listing: "directoryListing",
  enable_affected_projects_deployments: "enableAffectedProjectsDeployments",
  enable_preview_feedback: "enablePreviewFeedback",
  enable_production_feedback: "enableProductionFeedback",
  framework: "framework",
  function_failover: "serverlessFunctionZeroConfigFailover",
  git_fork_protection: "gitForkProtection",
  git_lfs: "gitLFS",
  id: "id",
  ignore_command: "commandForIgnoringBuildStep",
  install_command: "installCommand",
  name: "name",
  node_version: "nodeVersion",
  output_directory: "outputDirectory",
  preview_deployment_suffix: "previewDeploymentSuffix",
  preview_deployments_disabled: "previewDeploymentsDisabled",
  prioritise_production_builds: "productionDeploymentsFastLane",
  public_source: "publicSource",
  root_directory: "rootDirectory",
  serverless_function_region: "serverlessFunctionRegion"
};
var protectedDeployments = new Map(
  Object.entries({
    standard_protection: "prod_deployment_urls_and_all_previews",
    standard_protection_new: "all_except_custom_domains",
    all_deployments: "all",
    only_preview_deployments: "preview",
    only_production_deployments: "production"
  })
);
var deploymentType = (name) => protectedDeployments.get(name ?? "") ?? name;
var skewSeconds = new Map(
  Object.entries({
    "30 minutes": 1800,
    "12 hours": 43200,
    "1 day": 86400,
    "7 days": 604800
  })
);
function project(of) {
  const id = of.text("id");
  of.skip("team_id");
  const { preview_comments, ...settings } = of.renamed({ ...same, preview_comments: "preview_comments" });
  const variables = of.items("environment").map((one) => variable(one, id));
  if (of.take("protection_bypass_for_automation") === true)
    of.leave(
      "the bypass for automation is a secret: declare it under `protectionBypass`, or leave it as it is"
    );
  of.secret("protection_bypass_for_automation_secret");
  const object = present({
    enablePreviewFeedback: preview_comments,
    ...settings,
    link: repository(of),
    gitComments: of.inner("git_comments")?.renamed({ on_commit: "onCommit", on_pull_request: "onPullRequest" }),
    gitProviderOptions: gitProviderOptions(of),
    oidcTokenConfig: of.inner("oidc_token_config")?.renamed({ enabled: "enabled", issuer_mode: "issuerMode" }),
    resourceConfig: resourceConfig(of),
    ...protection(of),
    skewProtectionMaxAge: skew(of)
  });
  return of.reading([{ kind: "project", object }, ...variables]);
}
function repository(of) {
  const git = of.inner("git_repository");
  if (!git) return void 0;
  for (const hook of git.items("deploy_hooks")) {
    hook.skip("id", "name", "ref");
    hook.secret("url", `the deploy hook ${hook.text("name")}`);
  }
  return git.renamed({ type: "type", repo: "repo" });
}
function gitProviderOptions(of) {
  const options = of.inner("git_provider_options");
  if (!options) return void 0;
  const { created, events, ...rest } = options.renamed({
    create_deployments: "created",
    git_commit_status: "gitCommitStatus",
    repository_dispatch_events: "events",
    require_verified_commits: "requireVerifiedCommits"
  });
  const one = options.inner("consolidated_git_commit_status")?.renamed({ enabled: "enabled", propagate_failures: "propagateFailures" });
  return present({
    ...rest,
    createDeployments: created === void 0 ? void 0 : created === true ? "enabled" : "disabled",
    disableRepositoryDispatchEvents: events === void 0 ? void 0 : events === false,
    consolidatedGitCommitStatus: one
  });
}
function resourceConfig(of) {
  const config = {
    ...of.inner("resource_config")?.renamed({
      fluid: "fluid",
      function_default_cpu_type: "functionDefaultMemoryType",
      function_default_regions: "functionDefaultRegions",
      function_default_timeout: "functionDefaultTimeout"
    }),
    ...of.renamed({
      build_machine_type: "buildMachineType",
      on_demand_concurrent_builds: "elasticConcurrencyEnabled"
    })
  };
  return Object.keys(config).length === 0 ? void 0 : config;
}
function protection(of) {
  const sso = of.inner("vercel_authentication")?.text("deployment_type");
  const password = of.inner("password_protection");
  password?.secret("password");
  const paths = of.inner("options_allowlist")?.items("paths");
  const trusted = of.inner("trusted_ips");
  if (trusted) {
    trusted.skip("deployment_type", "protection_mode", "addresses");
    of.leave(
      "the addresses of `trusted_ips` are secret in the state and stay in the account: to manage them here, declare `trustedIps` with all of them, as `trueup export` shows them"
    );
  }
  return present({
    ssoProtection: sso === void 0 ? void 0 : sso === "none" ? null : { deploymentType: deploymentType(sso) },
    passwordProtection: password && { deploymentType: deploymentType(password.text("deployment_type")) },
    optionsAllowlist: paths && { paths: paths.map((one) => ({ value: one.take("value") })) }
  });
}
function skew(of) {
  const age = of.text("skew_protection");
  const seconds = skewSeconds.get(age ?? "");
  if (age !== void 0 && seconds === void 0)
    of.leave(`\`skew_protection\` is ${JSON.stringify(age)}, which is not a known duration`);
  return seconds;
}
var namedProject = (of) => ({
  objects: [{ kind: "project", object: { id: of.text("id"), name: of.text("name") }, isOnlyNamed: true }],
  secrets: [],
  left: []
});
var inProject = (of) => ({
  kind: "project",
  id: of.text("project_id")
});

// providers/hosting/foreign/custom-environment.ts
function customEnvironment(of) {
  of.skip("team_id");
  const branchMatcher = of.inner("branch_tracking")?.renamed({ pattern: "pattern", type: "type" });
  const object = present({
    ...of.renamed({ description: "description", id: "id", name: "slug" }),
    branchMatcher
  });
  return of.reading([{ kind: "customEnvironment", in: inProject(of), object }]);
}

// providers/hosting/foreign/delivery.ts
function webhook(of) {
  of.skip("team_id");
  of.secret("secret");
  const object = of.renamed({
    id: "id",
    endpoint: "url",
    events: "events",
    project_ids: "projectIds"
  });
  return of.reading([{ kind: "webhook", object }]);
}
function drain(of) {
  of.skip("team_id", "status", "projects");
  const way = of.inner("delivery");
  if (way) keepSecrets(way);
  const endpoint = way?.inner("endpoint");
  const traces = endpoint?.text("traces");
  const url = endpoint?.text("url");
  const schemas = Object.entries(of.take("schemas") ?? {});
  const sampling = of.items("sampling").map(
    (one) => one.renamed({ environment: "env", rate: "rate", request_path: "requestPath", type: "type" })
  );
  const transforms = of.items("transforms").map((one) => one.renamed({ id: "id" }));
  const object = present({
    ...of.renamed({ id: "id", name: "name", project_ids: "projectIds" }),
    schemas: Object.fromEntries(schemas.map(([name, { version }]) => [name, { version }])),
    ...sampling.length > 0 ? { sampling } : {},
    ...transforms.length > 0 ? { transforms } : {},
    delivery: present({
      ...way?.renamed({ compression: "compression", encoding: "encoding", type: "type" }),
      endpoint: traces === void 0 ? url : { traces }
    })
  });
  return of.reading([{ kind: "drain", object }]);
}
function keepSecrets(of) {
  of.secret("secret");
  of.secret("headers");
}
function traceDrain(of) {
  of.skip("team_id");
  keepSecrets(of);
  const sampling = of.items("sampling_rules").map((one) => ({
    type: "head_sampling",
    ...one.renamed({ environment: "env", rate: "rate", request_path: "requestPath" })
  }));
  const object = present({
    ...of.renamed({ id: "id", name: "name", project_ids: "projectIds" }),
    schemas: { trace: {} },
    ...sampling.length > 0 ? { sampling } : {},
    delivery: {
      type: "otlphttp",
      endpoint: { traces: of.text("endpoint") },
      encoding: of.text("delivery_format")
    }
  });
  return of.reading([{ kind: "drain", object }]);
}
function auditLogDrain(of) {
  of.skip("team_id");
  const http = of.inner("http");
  if (http) keepSecrets(http);
  const same2 = { encoding: "encoding", endpoint: "endpoint" };
  const s3 = of.inner("s3")?.renamed({
    ...same2,
    object_acl: "objectAcl",
    region: "region",
    role_arn: "roleArn",
    server_side_encryption: "serverSideEncryption"
  });
  const delivery = s3 ? { type: "s3", compression: "none", fileStructure: "hive", ...s3 } : { type: "http", ...http?.renamed({ ...same2, compression: "compression" }) };
  const object = { ...of.renamed({ id: "id", name: "name" }), schemas: { audit_log: {} }, delivery };
  return of.reading([{ kind: "drain", object }]);
}

// providers/hosting/foreign/domains.ts
function projectDomain(of) {
  of.skip("id", "team_id");
  const object = present({
    name: of.text("domain"),
    ...of.renamed({
      custom_environment_id: "customEnvironmentId",
      git_branch: "gitBranch",
      redirect: "redirect",
      redirect_status_code: "redirectStatusCode"
    })
  });
  return of.reading([{ kind: "projectDomain", in: inProject(of), object }]);
}
function domain(of) {
  of.skip("id", "team_id", "bought_at", "created_at", "custom_nameservers", "expires_at");
  of.skip("intended_nameservers", "nameservers", "verified");
  const name = of.text("name");
  return of.reading([{ kind: "domain", object: present({ name, zone: of.take("zone") }) }]);
}
var zoneOf = (name) => ({
  kind: "domain",
  object: { name },
  isOnlyNamed: true
});
function dnsRecord(of) {
  of.skip("team_id");
  const zone = of.text("domain");
  const { name, ...content } = of.renamed({
    comment: "comment",
    id: "id",
    mx_priority: "mxPriority",
    name: "name",
    ttl: "ttl",
    type: "type",
    value: "value"
  });
  const srv = of.inner("srv")?.renamed({ port: "port", priority: "priority", target: "target", weight: "weight" });
  const https = of.inner("https")?.renamed({ params: "params", priority: "priority", target: "target" });
  return of.reading([
    zoneOf(zone),
    {
      kind: "dnsRecord",
      in: { kind: "domain", id: zone },
      object: present({ ...content, name: name ?? "", srv, https })
    }
  ]);
}

// providers/hosting/foreign/edge-config.ts
function edgeConfig(of) {
  of.skip("team_id");
  return of.reading([{ kind: "globalConfig", object: of.renamed({ id: "id", name: "slug" }) }]);
}
var inStore = (of, member = "edge_config_id") => ({
  kind: "globalConfig",
  id: of.text(member)
});
var unwrapped = (value) => isPlainObject(value) && "value" in value && "type" in value && Object.keys(value).length === 2 ? value.value : value;
function edgeConfigItem(of) {
  of.skip("id", "team_id");
  const { json: json2, text, ...rest } = of.renamed({
    description: "description",
    key: "key",
    value: "text",
    value_json: "json"
  });
  const object = { ...rest, value: json2 === void 0 ? text : unwrapped(json2) };
  return of.reading([{ kind: "globalConfigItem", in: inStore(of), object }]);
}
function edgeConfigSchema(of) {
  of.skip("team_id");
  const text = of.text("definition") ?? "{}";
  const place = inStore(of, "id");
  try {
    const definition2 = JSON.parse(text);
    return of.reading([{ kind: "globalConfigSchema", in: place, object: { definition: definition2 } }]);
  } catch {
    of.leave("`definition` is not JSON");
    return of.reading([]);
  }
}
function edgeConfigToken(of) {
  of.skip("team_id");
  of.secret("token");
  of.secret("connection_string");
  const object = of.renamed({ id: "id", label: "label" });
  return of.reading([{ kind: "globalConfigToken", in: inStore(of), object }]);
}

// providers/hosting/foreign/feature-flag.ts
function featureFlag(of) {
  of.skip("team_id");
  const object = { ...definition(of), environments: environmentsIn(of) };
  return of.reading([{ kind: "featureFlag", in: inProject(of), object }]);
}
function featureFlagDefinition(of) {
  of.skip("team_id");
  return of.reading([{ kind: "featureFlag", in: inProject(of), object: definition(of) }]);
}
function featureFlagConfig(of) {
  of.skip("id", "team_id");
  const object = { id: of.text("flag_id"), environments: environmentsIn(of) };
  return of.reading([{ kind: "featureFlag", in: inProject(of), object, isPart: true }]);
}
function definition(of) {
  const variants = of.items("variant").map((one) => {
    const { text, number, bool, ...rest } = one.renamed({
      description: "description",
      id: "id",
      label: "label",
      value_bool: "bool",
      value_number: "number",
      value_string: "text"
    });
    return { ...rest, value: text ?? number ?? bool };
  });
  return {
    ...of.renamed({ description: "description", id: "id", key: "slug", kind: "kind" }),
    state: of.take("archived") === true ? "archived" : "active",
    variants
  };
}
function environmentsIn(of) {
  const variant = (variantId) => ({ type: "variant", variantId });
  const environments = ["production", "preview", "development"].flatMap((name) => {
    const found = of.inner(name);
    if (!found) return [];
    const active = found.take("enabled") ?? true;
    const fallthrough = variant(found.take("default_variant_id"));
    const pausedOutcome = variant(found.take("disabled_variant_id"));
    return [[name, { active, fallthrough, pausedOutcome }]];
  });
  return Object.fromEntries(environments);
}
function segment(of) {
  of.skip("team_id");
  const object = {
    ...of.renamed({ description: "description", hint: "hint", id: "id", name: "label", slug: "slug" }),
    data: present({ include: valuesIn(of, "include"), exclude: valuesIn(of, "exclude") })
  };
  return of.reading([{ kind: "segment", in: inProject(of), object }]);
}
function valuesIn(of, name) {
  const found = {};
  for (const one of of.items(name)) {
    const [entity, attribute] = [one.text("entity"), one.text("attribute")];
    const values = (one.texts("values") ?? []).map((value) => ({ value }));
    found[entity] = { ...found[entity], [attribute]: [...found[entity]?.[attribute] ?? [], ...values] };
  }
  return Object.keys(found).length === 0 ? void 0 : found;
}
function flagSdkKey(of) {
  of.skip("team_id");
  of.secret("sdk_key");
  of.secret("connection_string");
  const object = of.renamed({ environment: "environment", id: "hashKey", label: "label", type: "type" });
  return of.reading([{ kind: "flagSdkKey", in: inProject(of), object }]);
}

// providers/hosting/foreign/firewall.ts
function firewall(of) {
  of.skip("id", "team_id");
  const project2 = inProject(of);
  const inside = { kind: "firewall", id: project2.id };
  const enabled = of.take("enabled");
  const settings = present({ firewallEnabled: enabled });
  const rules = of.inner("rules")?.items("rule").map(rule) ?? [];
  const ips = of.inner("ip_rules")?.items("rule").map(ip) ?? [];
  const { managed, categories } = managedRulesets(of.inner("managed_rulesets"));
  const placed = (kind, objects) => objects.map((object) => ({ kind, in: inside, object }));
  return of.reading([
    { kind: "firewall", in: project2, object: settings },
    ...placed("managedRuleset", managed),
    ...placed("coreRuleset", categories),
    ...placed("firewallIp", ips),
    ...placed("firewallRule", rules)
  ]);
}
function rule(of) {
  const action = of.inner("action");
  const limit = action?.inner("rate_limit")?.renamed({ action: "action", algo: "algo", keys: "keys", limit: "limit", window: "window" });
  const redirect = action?.inner("redirect")?.renamed({ location: "location", permanent: "permanent" });
  return present({
    id: of.text("id"),
    name: of.text("name"),
    description: of.text("description"),
    active: of.take("active") ?? true,
    conditionGroup: of.items("condition_group").map((group) => ({
      conditions: group.items("conditions").map(condition)
    })),
    action: {
      mitigate: present({
        ...action?.renamed({ action: "action", action_duration: "actionDuration" }),
        rateLimit: limit,
        redirect
      })
    }
  });
}
function condition(of) {
  const { values, value, ...rest } = of.renamed({
    key: "key",
    neg: "neg",
    op: "op",
    type: "type",
    value: "value",
    values: "values"
  });
  const compared = Array.isArray(values) && values.length > 0 ? values : value;
  return present({ ...rest, ...rest.neg === true ? {} : { neg: void 0 }, value: compared });
}
var ip = (of) => of.renamed({ action: "action", hostname: "hostname", id: "id", ip: "ip", notes: "notes" });
function managedRulesets(of) {
  const read = (name) => {
    const found = of?.inner(name);
    return found ? [{ id: name, active: found.take("active") ?? true, ...actionIn(found) }] : [];
  };
  const owasp = of?.inner("owasp");
  const codes = ["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"];
  const categories = codes.flatMap((code) => {
    const one = owasp?.inner(code);
    return one ? [{ code, active: one.take("active") ?? true, ...actionIn(one) }] : [];
  });
  const managed = ["ai_bots", "bot_filter", "bot_protection", "traffic_sources", "vercel_ruleset"].flatMap(
    read
  );
  return {
    managed: [
      ...managed.map(({ id, ...rest }) => ({ id: id === "bot_filter" ? "bot_protection" : id, ...rest })),
      ...categories.length > 0 ? [{ id: "owasp", active: categories.some(({ active }) => active === true) }] : []
    ],
    categories
  };
}
var actionIn = (of) => present({ action: of.text("action") });
function attackMode(of) {
  of.skip("id", "team_id");
  const { enabled, until } = of.renamed({ enabled: "enabled", attack_mode_active_until: "until" });
  const object = present({ attackModeEnabled: enabled, attackModeActiveUntil: until });
  return of.reading([{ kind: "attackMode", in: inProject(of), object }]);
}
function firewallBypass(of) {
  of.skip("team_id");
  const domain2 = of.text("domain");
  const object = present({
    Id: of.text("id"),
    Ip: of.text("source_ip"),
    Note: of.text("note"),
    ...domain2 === "*" ? { IsProjectRule: true } : { Domain: domain2 }
  });
  return of.reading([{ kind: "firewallBypass", in: inProject(of), object }]);
}

// providers/hosting/foreign/kms.ts
function kmsIssuer(of) {
  of.skip("team_id", "created_at", "managed_by", "origin", "owner_id", "signing_keys", "updated_at");
  of.secret("import_key");
  const object = of.renamed({ algorithm: "algorithm", id: "id", name: "name" });
  return of.reading([{ kind: "kmsIssuer", object }, ...keyIn(of, String(object.id))]);
}
var inIssuer = (id) => ({ kind: "kmsIssuer", id });
function keyIn(of, issuer) {
  const importKeyId = of.text("key_id");
  return importKeyId === void 0 ? [] : [{ kind: "kmsSigningKey", in: inIssuer(issuer), object: { importKeyId } }];
}
function kmsSigningKey(of) {
  of.skip(
    "id",
    "team_id",
    "algorithm",
    "created_at",
    "updated_at",
    "public_key_fingerprint",
    "public_key_jwk"
  );
  of.skip("keepers", "revoke_at", "revoke_previous_at", "status");
  of.secret("import_key");
  const isOver = of.text("status") === "revoking";
  const key = keyIn(of, of.text("issuer_id"));
  if (key.length === 0)
    of.leave("the rotation is complete and the platform keeps the key: there is nothing to declare");
  else if (isOver) of.leave("another key has replaced it, and this one expires on its own");
  return of.reading(isOver ? [] : key);
}
function kmsGrant(of) {
  of.skip("id", "team_id", "created_at", "updated_at");
  const issuer = inIssuer(of.text("issuer_id"));
  const object = present({
    ...of.renamed({ environments: "environments", project_id: "projectId" }),
    tokenClaims: json(of.take("token_claims"))
  });
  return of.reading([{ kind: "kmsIssuerPolicy", in: issuer, object }]);
}

// providers/hosting/foreign/microfrontends.ts
function microfrontendGroup(of) {
  of.skip("slug", "team_id");
  const group = of.renamed({ id: "id", name: "name" });
  const first = of.inner("default_app");
  first?.skip("id");
  const id = first?.text("project_id");
  const route = first?.text("default_route");
  const member = id === void 0 ? [] : [membership(String(group.id), id, { isDefaultApp: true, defaultRoute: route })];
  return of.reading([{ kind: "microfrontendsGroup", object: { group } }, ...member]);
}
var membership = (group, project2, settings) => ({
  kind: "microfrontendsProject",
  in: { kind: "microfrontendsGroup", id: group },
  object: { id: project2, microfrontends: present(settings) }
});
function microfrontendMembership(of) {
  of.skip("id", "team_id");
  const settings = of.renamed({
    default_route: "defaultRoute",
    route_observability_to_this_project: "routeObservabilityToThisProject"
  });
  return of.reading([membership(of.text("microfrontend_group_id"), of.text("project_id"), settings)]);
}

// providers/hosting/foreign/network.ts
function network(of) {
  of.skip("team_id", "aws_account_id", "aws_region", "egress_ip_addresses", "status", "timeouts", "vpc_id");
  const object = of.renamed({
    aws_availability_zone_ids: "awsAvailabilityZoneIds",
    cidr: "cidr",
    id: "id",
    name: "name",
    region: "region"
  });
  return of.reading([{ kind: "network", object }]);
}

// providers/hosting/foreign/project-parts.ts
var partOf = (of, fields) => {
  const { id } = inProject(of);
  return of.reading([{ kind: "project", object: { id, ...fields }, isPart: true }]);
};
var memoryTypes = new Map(Object.entries({ basic: "standard_legacy" }));
function functionCpu(of) {
  of.skip("id", "team_id");
  const cpu = of.text("cpu");
  if (cpu === void 0) return of.reading([]);
  return partOf(of, { resourceConfig: { functionDefaultMemoryType: memoryTypes.get(cpu) ?? cpu } });
}
function functionMaxDuration(of) {
  of.skip("id", "team_id");
  const seconds = of.take("max_duration");
  return partOf(of, { resourceConfig: present({ functionDefaultTimeout: seconds }) });
}
function deploymentCheck(of) {
  of.skip("team_id", "created_at", "updated_at");
  const source = of.inner("source");
  source?.skip(
    "integration_configuration_id",
    "integration_id",
    "job_name",
    "origin",
    "resource_id",
    "sub_kind"
  );
  const declared = source?.renamed({
    external_check_name: "externalCheckName",
    external_resource_id: "externalResourceId",
    kind: "kind",
    provider: "provider",
    webhook_id: "webhookId"
  });
  const object = present({
    ...of.renamed({
      blocks: "blocks",
      id: "id",
      is_rerequestable: "isRerequestable",
      name: "name",
      requires: "requires",
      targets: "targets",
      timeout: "timeout"
    }),
    // One of the platform's own says where it is from, and nobody can write that.
    source: declared?.kind === "vercel" ? void 0 : declared
  });
  return of.reading([{ kind: "check", in: inProject(of), object }]);
}

// providers/hosting/foreign/protection.ts
function protectionBypass(of) {
  of.skip("id", "team_id", "created_at", "created_by", "scope");
  of.secret("secret");
  const project2 = inProject(of);
  const note = of.text("note");
  const isDefault = of.take("is_env_var");
  if (note === void 0 || note === "") {
    of.leave(
      "it has no note, so only its secret identifies it: give it a note, or declare it under `protectionBypass` with `secret: ${secret.NAME}`"
    );
    return of.reading([]);
  }
  if (isDefault === true)
    of.leave("`is_env_var` stays as it is: only one that is declared with its `secret` can say so");
  const object = present({
    secret: `${project2.id} ${note}`,
    note,
    isEnvVar: isDefault === true ? void 0 : isDefault
  });
  return of.reading([{ kind: "protectionBypass", in: project2, object, hasMadeUpId: true }]);
}
function protectionException(of) {
  of.skip("id", "team_id", "created_at", "created_by", "scope");
  const project2 = inProject(of);
  const alias = of.text("alias");
  return of.reading([
    { kind: "alias", in: project2, object: { uid: alias, alias }, isOnlyNamed: true },
    { kind: "aliasBypass", in: { kind: "alias", id: alias }, object: { who: "*" } }
  ]);
}

// providers/hosting/foreign/reasons.ts
var noKey = "the key was shown once and keeps working; create a new one or revoke this one in the dashboard";
var noAlert = "alerts cannot be declared here: manage them in the dashboard or keep them in Terraform";
var noOauth = "apps for \u201CSign in with Vercel\u201D cannot be declared here: keep it in Terraform";
var reasons = new Map(
  Object.entries({
    vercel_ai_gateway_api_key: noKey,
    vercel_alert_rule: noAlert,
    vercel_alert_rule_notification: noAlert,
    vercel_alert_rule_slack_notification: noAlert,
    vercel_alert_rule_webhook_notification: noAlert,
    vercel_alias: "an alias is declared in its project, which the state does not name: add it under `aliases` of the project, or leave it as it is",
    vercel_api_key: noKey,
    vercel_blob_object: "a file in a store is data, not configuration: upload it from a build or a script",
    vercel_blob_project_connection: "the connection of a Blob store to a project cannot be declared here: it stays as it is, with its variable; change it in the dashboard",
    vercel_custom_alert_rule: noAlert,
    vercel_deployment: "a deployment is created by a build and stays as it is; pushes keep creating new ones",
    vercel_hosted_zone_association: "hosted zones of a network cannot be declared here: keep it in Terraform, which also knows the zone in AWS",
    vercel_integration_project_access: "the projects that an integration may see cannot be declared here: choose them in the dashboard, at the integration",
    vercel_kms_certificate: "such a certificate is only in the state: keep a copy, or issue another one when needed",
    vercel_log_drain: "the platform has replaced this type of drain; create a `drain`, or leave it as it is",
    vercel_oauth_app: noOauth,
    vercel_oauth_app_client_secret: noOauth,
    vercel_oauth_app_permissions: noOauth,
    vercel_oidc_federation_policy: "policies of OIDC federation cannot be declared here: keep it in Terraform, or manage it in the dashboard",
    vercel_project_crons: "whether cron jobs run cannot be declared here: it stays as it is; change it in the settings of the project",
    vercel_project_delegated_protection: "protection by another OIDC provider cannot be declared here: it stays as it is; change it in the settings of the project",
    vercel_project_deployment_retention: "how long deployments of one project are kept cannot be declared here: it stays as it is; the default of the team is `defaultExpirationSettings` of a `team`",
    vercel_project_secure_compute_networks: "the networks that a project is in cannot be declared here: they stay as they are; change them in the settings of the network",
    vercel_project_tracing: "tracing of a project cannot be declared here: it stays as it is; change it in the settings of the project",
    vercel_shareable_link: "the link is a secret of the platform: it works until it expires or is revoked in the dashboard",
    vercel_shared_environment_variable_project_link: "a shared variable names all of its projects here: declare it under `sharedEnv` with every project in `projectId`, or leave it as it is"
  })
);

// providers/hosting/foreign/rolling-release.ts
function rollingRelease(of) {
  of.skip("id", "team_id");
  const isManual = of.text("advancement_type") === "manual-approval";
  const stages = of.items("stages").map((stage) => ({
    ...stage.renamed({ duration: "duration", target_percentage: "targetPercentage" }),
    requireApproval: isManual
  }));
  stages.forEach((stage) => {
    if (stage.targetPercentage === 100) stage.requireApproval = false;
  });
  return of.reading([{ kind: "rollingRelease", in: inProject(of), object: { stages } }]);
}

// providers/hosting/foreign/stores.ts
function blobStore(of) {
  of.skip(
    "team_id",
    "count",
    "created_at",
    "updated_at",
    "size",
    "status",
    "usage_quota_exceeded",
    "file_count"
  );
  const object = of.renamed({ access: "access", id: "id", name: "name", region: "region" });
  return of.reading([{ kind: "blobStore", object }]);
}
function registryRepository(of) {
  of.skip("team_id", "created_at", "updated_at", "url");
  const object = of.renamed({ id: "id", name: "name", public: "public" });
  return of.reading([{ kind: "registryRepository", in: inProject(of), object }]);
}
function registryPermission(of) {
  of.skip("id", "team_id", "project_id", "repository", "granted_team_slug");
  const teamId = of.text("granted_team_id");
  if (teamId === void 0) of.leave("the state does not contain the id of the team that may pull");
  const inside = { kind: "registryRepository", id: of.text("repository_id") };
  return of.reading(
    teamId === void 0 ? [] : [{ kind: "registryPermission", in: inside, object: { teamId } }]
  );
}

// providers/hosting/foreign/team.ts
function team(of) {
  of.secret("invite_code");
  const { enabled, ...strict } = of.inner("remote_caching")?.renamed({ enabled: "enabled" }) ?? {};
  const saml = of.inner("saml")?.renamed({ enforced: "enforced" });
  const object = present({
    ...of.renamed({
      description: "description",
      email_domain: "emailDomain",
      enable_preview_feedback: "enablePreviewFeedback",
      enable_production_feedback: "enableProductionFeedback",
      hide_ip_addresses: "hideIpAddresses",
      hide_ip_addresses_in_log_drains: "hideIpAddressesInLogDrains",
      id: "id",
      name: "name",
      preview_deployment_suffix: "previewDeploymentSuffix",
      sensitive_environment_variable_policy: "sensitiveEnvironmentVariablePolicy",
      slug: "slug"
    }),
    ...strict,
    remoteCaching: enabled === void 0 ? void 0 : { enabled },
    saml: saml && Object.keys(saml).length > 0 ? saml : void 0
  });
  return of.reading([{ kind: "team", object }]);
}
function teamMember(of) {
  of.skip("id", "team_id", "confirmed");
  const uid = of.text("user_id");
  const groups = of.texts("access_groups") ?? [];
  const projects = of.items("projects").map((one) => one.renamed({ project_id: "id", role: "role" }));
  const member = of.renamed({ email: "email", role: "role" });
  if (uid === void 0 && groups.length + projects.length > 0)
    of.leave("its groups and projects: the state does not contain the user's id");
  if (uid === void 0) return of.reading([{ kind: "teamMember", object: member }]);
  return of.reading([
    { kind: "teamMember", object: member },
    ...groups.map((id) => ({ kind: "accessGroupMember", in: { kind: "accessGroup", id }, object: { uid } })),
    ...projects.map(({ id, role }) => ({
      kind: "projectMember",
      in: { kind: "project", id: String(id) },
      object: { uid, role }
    }))
  ]);
}
function accessGroup(of) {
  of.skip("team_id");
  const object = of.renamed({ id: "accessGroupId", name: "name" });
  return of.reading([{ kind: "accessGroup", object }]);
}
var inGroup = (of) => ({ kind: "accessGroup", id: of.text("access_group_id") });
function accessGroupProject(of) {
  of.skip("id", "team_id");
  const object = of.renamed({ project_id: "projectId", role: "role" });
  return of.reading([{ kind: "accessGroupProject", in: inGroup(of), object }]);
}
function accessGroupMember(of) {
  of.skip("id", "team_id");
  const object = { uid: of.text("user_id") };
  return of.reading([{ kind: "accessGroupMember", in: inGroup(of), object }]);
}
function projectMembers(of) {
  of.skip("id", "team_id");
  const project2 = inProject(of);
  const members = of.items("members").flatMap((member) => {
    const { uid, email, username, role } = member.renamed({
      email: "email",
      role: "role",
      user_id: "uid",
      username: "username"
    });
    if (uid === void 0)
      of.leave(`the member ${email ?? username}: the state does not contain the user's id`);
    return uid === void 0 ? [] : [{ kind: "projectMember", in: project2, object: { uid, role } }];
  });
  return of.reading(members);
}
function userToken(of) {
  of.skip(
    "team_id",
    "active_at",
    "created_at",
    "leaked_at",
    "leaked_url",
    "origin",
    "prefix",
    "suffix",
    "type"
  );
  of.secret("bearer_token");
  const object = of.renamed({ expires_at: "expiresAt", id: "id", name: "name", project_id: "projectId" });
  return of.reading([{ kind: "authToken", object }]);
}

// providers/hosting/foreign/traffic.ts
function bulkRedirects(of) {
  of.skip("id", "team_id", "version_id");
  const project2 = inProject(of);
  const redirects = of.items("redirects").map(
    (one) => one.renamed({
      case_sensitive: "caseSensitive",
      destination: "destination",
      query: "query",
      source: "source",
      status_code: "statusCode"
    })
  );
  return of.reading(redirects.map((object) => ({ kind: "bulkRedirects", in: project2, object })));
}
function projectRoute(of) {
  of.skip("position", "route_type", "team_id");
  const route = of.inner("route");
  const matchers = (name) => {
    const found = route?.items(name).map((one) => one.renamed({ key: "key", type: "type", value: "value" }));
    return found && found.length > 0 ? { [name]: found } : {};
  };
  const transforms = route?.items("transforms").map((one) => {
    const { args, target, ...rest } = one.renamed({
      args: "args",
      env: "env",
      op: "op",
      target: "target",
      type: "type"
    });
    return present({ ...rest, args: json(args), target: json(target) });
  });
  const object = present({
    ...of.renamed({
      description: "description",
      enabled: "enabled",
      id: "id",
      name: "name",
      src_syntax: "srcSyntax"
    }),
    route: {
      ...route?.renamed({
        case_sensitive: "caseSensitive",
        dest: "dest",
        headers: "headers",
        respect_origin_cache_control: "respectOriginCacheControl",
        src: "src",
        status: "status"
      }),
      ...matchers("has"),
      ...matchers("missing"),
      ...transforms && transforms.length > 0 ? { transforms } : {}
    }
  });
  return of.reading([{ kind: "projectRoute", in: inProject(of), object }]);
}
var positionOf = ({ attributes }) => attributes.position ?? {};
function routesInOrder(resources) {
  const isRoute = ({ type }) => type === "vercel_project_route";
  const routes = resources.filter(isRoute);
  const isBeside = (one) => ["before", "after"].includes(positionOf(one).placement ?? "");
  const at = (placement) => routes.filter((one) => positionOf(one).placement === placement);
  const free = routes.filter(
    (one) => !isBeside(one) && !["start", "end"].includes(positionOf(one).placement ?? "")
  );
  const placed = [...at("start"), ...free, ...at("end")];
  let waiting = routes.filter(isBeside);
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((one) => {
      const { placement, reference_route_id: id } = positionOf(one);
      const index = placed.findIndex(({ attributes }) => attributes.id === id);
      if (index >= 0) placed.splice(placement === "after" ? index + 1 : index, 0, one);
      return index < 0;
    });
  }
  return [...resources.filter((one) => !isRoute(one)), ...placed, ...waiting];
}

// providers/hosting/foreign/zone-record.ts
function record(zone, { name, type, ttl, data }, id) {
  const at = { id, name: name === "@" ? "" : name, type, ...ttl === void 0 ? {} : { ttl } };
  const content = contentOf(type, data);
  if ("why" in content) return { why: String(content.why) };
  if (type === "NS" && name === "@") return { why: "the platform provides the domain's nameservers" };
  return { kind: "dnsRecord", in: { kind: "domain", id: zone }, object: { ...at, ...content } };
}
function contentOf(type, data) {
  const [first = "", second = "", third = "", fourth = ""] = data;
  if (["A", "AAAA", "ALIAS", "CNAME", "NS"].includes(type)) return { value: first };
  if (type === "TXT") return { value: data.join("") };
  if (type === "MX") return { mxPriority: Number(first), value: second };
  if (type === "CAA") return { value: `${first} ${second} "${third}"` };
  if (type === "SRV")
    return {
      srv: { priority: Number(first), weight: Number(second), port: Number(third), target: fourth }
    };
  if (type === "HTTPS")
    return { https: { priority: Number(first), target: second, params: data.slice(2).join(" ") } };
  if (type === "SOA") return { why: "the platform manages it itself" };
  return { why: `the platform does not support records of type ${type}` };
}

// providers/hosting/foreign/index.ts
var readers = {
  vercel_access_group: accessGroup,
  vercel_access_group_member: accessGroupMember,
  vercel_access_group_project: accessGroupProject,
  vercel_attack_challenge_mode: attackMode,
  vercel_audit_log_drain: auditLogDrain,
  vercel_blob_store: blobStore,
  vercel_bulk_redirects: bulkRedirects,
  vercel_custom_certificate: customCertificate,
  vercel_custom_environment: customEnvironment,
  vercel_deployment_protection_exception: protectionException,
  vercel_dns_record: dnsRecord,
  vercel_domain: domain,
  vercel_drain: drain,
  vercel_edge_config: edgeConfig,
  vercel_edge_config_item: edgeConfigItem,
  vercel_edge_config_schema: edgeConfigSchema,
  vercel_edge_config_token: edgeConfigToken,
  vercel_feature_flag: featureFlag,
  vercel_feature_flag_config: featureFlagConfig,
  vercel_feature_flag_definition: featureFlagDefinition,
  vercel_feature_flag_sdk_key: flagSdkKey,
  vercel_feature_flag_segment: segment,
  vercel_firewall_bypass: firewallBypass,
  vercel_firewall_config: firewall,
  vercel_kms_issuer: kmsIssuer,
  vercel_kms_issuer_policy: kmsGrant,
  vercel_kms_project_grant: kmsGrant,
  vercel_kms_signing_key: kmsSigningKey,
  vercel_microfrontend_group: microfrontendGroup,
  vercel_microfrontend_group_membership: microfrontendMembership,
  vercel_network: network,
  vercel_project: project,
  vercel_project_deployment_check: deploymentCheck,
  vercel_project_domain: projectDomain,
  vercel_project_environment_variable: oneVariable,
  vercel_project_environment_variables: severalVariables,
  vercel_project_function_cpu: functionCpu,
  vercel_project_function_max_duration: functionMaxDuration,
  vercel_project_members: projectMembers,
  vercel_project_protection_bypass: protectionBypass,
  vercel_project_rolling_release: rollingRelease,
  vercel_project_route: projectRoute,
  vercel_shared_environment_variable: sharedVariable,
  vercel_team_config: team,
  vercel_team_member: teamMember,
  vercel_trace_drain: traceDrain,
  vercel_user_token: userToken,
  vercel_vcr_repository: registryRepository,
  vercel_vcr_repository_permission: registryPermission,
  vercel_webhook: webhook
};
var isTaken = (type) => Object.hasOwn(readers, type);
var containers = [
  "vercel_access_group",
  "vercel_custom_environment",
  "vercel_edge_config",
  "vercel_kms_issuer",
  "vercel_microfrontend_group",
  "vercel_vcr_repository"
];
var onlyNamed = ({ objects: [first] }) => ({
  objects: first === void 0 ? [] : [{ ...first, isOnlyNamed: true }],
  secrets: [],
  left: []
});
var takenTypes = Object.keys(readers);
var foreignFiles = {
  isOwnProvider: (source) => /(^|\/)vercel\/vercel$/.test(source),
  teamOf: ({ type, attributes }) => {
    const id = type === "vercel_team_config" ? attributes.id : attributes.team_id;
    return typeof id === "string" && id !== "" ? id : void 0;
  },
  slugOf({ type, attributes: { id, slug } }) {
    const isTold = type === "vercel_team_config" && typeof id === "string" && typeof slug === "string" && slug !== "";
    return isTold ? { id, slug } : void 0;
  },
  inOrder: routesInOrder,
  read(resource) {
    if (resource.isData && resource.type === "vercel_project") return namedProject(Attributes.of(resource));
    if (resource.isData && isTaken(resource.type) && containers.includes(resource.type))
      return onlyNamed(readers[resource.type](Attributes.of(resource)));
    if (resource.isData || !isTaken(resource.type))
      return {
        why: reasons.get(resource.type) ?? "there is no kind for it: keep it in Terraform, or manage it in the dashboard"
      };
    return readers[resource.type](Attributes.of(resource));
  },
  zone: zoneOf,
  record
};
return{foreignFiles:foreignFiles,takenTypes:takenTypes};})();exports.part_545GNIII=part_545GNIII;
