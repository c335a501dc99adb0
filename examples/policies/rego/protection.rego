# Deployments of a project stay behind the login of the team, or behind a password.
package main

import rego.v1

deny contains message if {
	some one in kept("trueup_project")
	protected_before(one)
	not is_protected(one.change.after)
	message := sprintf("%s would be open to everybody: keep `ssoProtection` or `passwordProtection`", [one.index])
}

protected_before(one) if is_protected(one.change.before)

is_protected(project) if is_object(project.ssoProtection)

is_protected(project) if is_object(project.passwordProtection)
