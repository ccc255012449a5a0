"""Every answer that a server gives with a key, by the routes of its own description."""

from urllib.parse import quote

import requests
import yaml

from local_store import CALL_SECONDS_MAX

# The routes whose answers are not about what a database holds, and what they are about.
NOT_COMPARED = {
    "/healthz": "the process",
    "/readyz": "the process and its connections",
    "/metrics": "the process since its start",
    "/v1/apple/test_notifications/{token}": "a question to Apple",
    "/v1/operator_sessions/current": "the session of an operator, who has no key of the app",
}
# The lists to which a server adds entries when it starts, and which ones.
GROWING = {
    "/v1/events": "what it found out about itself",
    "/v1/recovery/windows": "its first comparison with Apple's history",
}
# The routes that need one of several parameters: the parameter, and the path before the identifiers that it takes.
SELECTED_BY = {
    "/v1/customers": ("transaction_id", "/v1/purchases/"),
    "/v1/webhook_deliveries": ("endpoint_id", "/v1/webhook_endpoints/"),
}


def answers(url, key, named):
    """The answers of all GET routes, by path and query. Each route has at least one with status 200.

    `named` has the identifiers that no list of the server names, by the path before them.
    """
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {key}"
        server = _Server(url, session, named)
        routes = [route for route in server.routes if route not in NOT_COMPARED]
        assert len(server.routes) - len(routes) == len(NOT_COMPARED), "a route that is not compared does not exist"
        # Lists name what the other routes are about.
        for route in sorted(routes, key=lambda route: ("{" in route, route in SELECTED_BY)):
            server.ask(route)
        unanswered = [route for route in routes if route not in server.answered]
        assert not unanswered, f"routes without any answer: {unanswered}"
        return server.found


def differences(before, after):
    """The paths with other answers. In a list that grows, the entries from before must remain as they were."""
    different = []
    for path, answer in before.items():
        other = after.get(path)
        if path in GROWING and other is not None:
            known = {entry["id"] for entry in answer["data"]}
            answer, other = answer["data"], [entry for entry in other["data"] if entry["id"] in known]
        if answer != other:
            different.append(path)
    # What a list had in addition may have its own answers.
    return different + [
        path for path in after.keys() - before.keys() if not path.startswith(tuple(f"{list_}/" for list_ in GROWING))
    ]


class _Server:
    def __init__(self, url, session, named):
        self.url = url
        self.session = session
        self.known = dict(named)
        self.found = {}
        self.answered = set()
        self._document = yaml.safe_load(self._get("/openapi.yaml").content)
        self.routes = [path for path, item in self._document["paths"].items() if "get" in item]

    def ask(self, route):
        """Asks a route about everything that is known."""
        parameters = self._parameters(route)
        before, brace, rest = route.partition("{")
        if not brace:
            paths = [route]
        else:
            paths = [before + quote(name, safe="") + rest.partition("}")[2] for name in self.known[before]]
        for path in paths:
            for query in self._queries(route, parameters):
                self.found[f"{path}?{query}" if query else path] = self._answer(route, path, query, parameters)
        if not brace:
            found = [answer for path, answer in self.found.items() if path.partition("?")[0] == route]
            entries = [entry for answer in found if isinstance(answer, dict) for entry in answer.get("data", [])]
            self.known.setdefault(f"{route}/", [entry["id"] for entry in entries if "id" in entry])

    def _answer(self, route, path, query, parameters):
        """A whole answer, with all pages of a list."""
        if "limit" in parameters:
            query = "&".join(filter(None, [query, f"limit={parameters['limit']['schema']['maximum']}"]))
        response = self._get(path, query)
        if response.status_code == 404:
            # The rest of an error has the number of the request.
            return {"status": 404, "code": response.json()["error"]["code"]}
        assert response.status_code == 200, f"GET {path}?{query}: {response.status_code} {response.text}"
        self.answered.add(route)
        if not response.headers["content-type"].startswith("application/json"):
            return response.content
        answer = response.json()
        page = answer
        while "limit" in parameters and page["has_more"]:
            page = self._get(path, f"{query}&after={quote(page['next_cursor'], safe='')}").json()
            answer = answer | {"data": answer["data"] + page["data"], "next_cursor": page["next_cursor"]}
            answer["has_more"] = page["has_more"]
        return answer

    def _queries(self, route, parameters):
        """Each value of the parameters that have a few, one at a time."""
        if route in SELECTED_BY:
            name, before = SELECTED_BY[route]
            return [f"{name}={quote(value, safe='')}" for value in self.known[before]]
        values = {name: parameter["schema"].get("enum", []) for name, parameter in parameters.items()}
        values |= {
            name: ["true"] for name, parameter in parameters.items() if parameter["schema"].get("type") == "boolean"
        }
        is_required = any(parameter.get("required") for parameter in parameters.values())
        return ([] if is_required else [""]) + [f"{name}={value}" for name, some in values.items() for value in some]

    def _parameters(self, route):
        """The parameters of the query, by name."""
        item = self._document["paths"][route]
        parameters = [self._resolved(one) for one in item.get("parameters", []) + item["get"].get("parameters", [])]
        of_query = [one for one in parameters if one["in"] == "query"]
        return {one["name"]: one | {"schema": self._resolved(one["schema"])} for one in of_query}

    def _resolved(self, value):
        while "$ref" in value:
            found = self._document
            for name in value["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            value = found
        return value

    def _get(self, path, query=""):
        return self.session.get(f"{self.url}{path}" + (f"?{query}" if query else ""), timeout=CALL_SECONDS_MAX)
