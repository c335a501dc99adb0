# What the policies beside this file share: a plan as `trueup plan --format terraform` writes it.
package main

import rego.v1

# The changes of one type that are there afterwards, declared or not.
kept(type) := [one | some one in input.resource_changes; one.type == type; one.change.after != null]

deletes(one) if "delete" in one.change.actions
