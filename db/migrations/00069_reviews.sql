-- What diners say of their visits, what the restaurant answers, and what others report.

-- +goose Up

-- A review is of one completed visit, by its diner. A hidden one counts no more, and only its author sees it.
CREATE TABLE reviews (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reservation_id text        NOT NULL,
    restaurant_id  bigint      NOT NULL,
    user_id        text        NOT NULL,
    visited_on     date        NOT NULL,
    stars          smallint    NOT NULL,
    text           text        NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    changed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    answer         text        NOT NULL DEFAULT '',
    answered_at    timestamptz,
    hidden_reason  text        NOT NULL DEFAULT '',
    CONSTRAINT reviews_one_a_visit UNIQUE (reservation_id),
    CONSTRAINT reviews_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reviews_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT reviews_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT reviews_stars CHECK (stars BETWEEN 1 AND 5),
    CONSTRAINT reviews_text CHECK (length(text) <= 1000 AND length(answer) <= 1000)
);

CREATE INDEX reviews_public ON reviews (restaurant_id, id) INCLUDE (stars) WHERE hidden_reason = '';
CREATE INDEX reviews_unanswered ON reviews (restaurant_id, id)
    WHERE hidden_reason = '' AND (answer = '' OR answered_at < changed_at);
CREATE INDEX reviews_by_user ON reviews (user_id);
CREATE INDEX reviews_latest ON reviews (changed_at);

-- A report is open until an operator has decided on its review.
CREATE TABLE review_reports (
    review_id  bigint      NOT NULL,
    user_id    text        NOT NULL,
    reason     text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    decided_at timestamptz,
    PRIMARY KEY (review_id, user_id),
    CONSTRAINT review_reports_review FOREIGN KEY (review_id) REFERENCES reviews (id) ON DELETE CASCADE,
    CONSTRAINT review_reports_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE INDEX review_reports_open ON review_reports (review_id) WHERE decided_at IS NULL;
CREATE INDEX review_reports_by_user ON review_reports (user_id);

-- The sum and number of the public reviews of a restaurant. It is no part of restaurants: a review changes nothing else of one.
CREATE TABLE ratings (
    restaurant_id bigint  PRIMARY KEY,
    stars         bigint  NOT NULL,
    reviews       integer NOT NULL,
    CONSTRAINT ratings_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT ratings_reviews CHECK (stars BETWEEN reviews AND 5 * reviews)
);

-- +goose StatementBegin
CREATE FUNCTION rate_restaurant() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    restaurant bigint  := CASE TG_OP WHEN 'DELETE' THEN OLD.restaurant_id ELSE NEW.restaurant_id END;
    more_stars bigint  := 0;
    more       integer := 0;
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.hidden_reason = '' THEN
        more_stars := -OLD.stars;
        more := -1;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.hidden_reason = '' THEN
        more_stars := more_stars + NEW.stars;
        more := more + 1;
    END IF;
    UPDATE ratings SET stars = stars + more_stars, reviews = reviews + more WHERE restaurant_id = restaurant;
    IF NOT FOUND THEN
        INSERT INTO ratings AS r (restaurant_id, stars, reviews)
        VALUES (restaurant, more_stars, more)
        ON CONFLICT (restaurant_id) DO UPDATE SET stars = r.stars + excluded.stars, reviews = r.reviews + excluded.reviews;
    END IF;
    RETURN NULL;
END
$$;

-- A visit that staff take back was none. What an operator has hidden stays so, and is not written anew.
CREATE FUNCTION delete_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM reviews WHERE reservation_id = NEW.id AND hidden_reason = '';
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER reviews_rated AFTER INSERT OR DELETE ON reviews
    FOR EACH ROW EXECUTE FUNCTION rate_restaurant();
CREATE TRIGGER reviews_rated_anew AFTER UPDATE OF stars, hidden_reason ON reviews
    FOR EACH ROW EXECUTE FUNCTION rate_restaurant();
CREATE TRIGGER reviews_not_of_deleted AFTER INSERT ON reviews
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER review_reports_not_of_deleted AFTER INSERT ON review_reports
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER reservations_unreview AFTER UPDATE OF state ON reservations
    FOR EACH ROW WHEN (OLD.state = 'completed' AND NEW.state <> 'completed') EXECUTE FUNCTION delete_review();

-- +goose Down
DROP TRIGGER reservations_unreview ON reservations;
DROP TABLE ratings, review_reports, reviews;
DROP FUNCTION rate_restaurant, delete_review;
